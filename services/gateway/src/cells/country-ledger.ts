import { type Cell, cellOf, firstCell } from '@malipo/kernel/cells'
import { Fault } from '@malipo/kernel/errors'
import type { PayerCheckout } from '@malipo/ledger-client/checkouts'
import type { HandlePayment } from '@malipo/ledger-client/intents'
import type { Ledger } from '@malipo/ledger-client/ledger'
import type { Callback } from '@malipo/ledger-client/messages'

/** An answer of a ledger, with the cell that gave it. */
export type Placed<Read> = Read & { readonly cell: Cell }

/** The ledgers of a country. A call with an id goes to the cell that the id names, one for an account to its cell. */
export interface CountryLedger extends Pick<
  Ledger,
  'readIntent' | 'startIntent' | 'startCardIntent' | 'readCardPayment'
> {
  /** Fault: ledger_unavailable, for a cell that this host does not know yet. */
  of(cell: Cell): Ledger
  readCheckout(checkoutId: string): Promise<Placed<PayerCheckout>>
  readHandlePayment(intentId: string): Promise<Placed<HandlePayment>>
  /** `cell` comes from the path of the callback. It is used for money without a prompt, which has no id. */
  storeCallback(callback: Callback, cell?: Cell): Promise<string>
}

/** `ledgers`: the ledger of each cell, in the order of the cells' numbers. */
export function openCountryLedger(ledgers: readonly [Ledger, ...Ledger[]]): CountryLedger {
  const [first] = ledgers
  const of = (cell: Cell) => {
    const ledger = ledgers[cell]
    if (ledger === undefined) throw new Fault('ledger_unavailable', { cell })
    return ledger
  }
  const ask = async <Answer>(
    id: string,
    question: (ledger: Ledger, cell: Cell) => Promise<Answer>,
  ): Promise<Answer> => {
    const cell = cellOf(id) ?? firstCell
    const ledger = ledgers[cell]
    if (ledger === undefined || cell === firstCell) return question(first, firstCell)
    return question(ledger, cell).catch(async (error: unknown) => {
      if (!isUnknown(error)) throw error
      // An id made before there were cells may begin with any digits, so the first cell is asked too.
      return question(first, firstCell)
    })
  }
  return {
    of,
    readIntent: (id) => ask(id, (ledger) => ledger.readIntent(id)),
    startIntent: (start) => ask(start.checkoutId, (ledger) => ledger.startIntent(start)),
    startCardIntent: (start) => ask(start.checkoutId, (ledger) => ledger.startCardIntent(start)),
    readCardPayment: (checkoutId, intentId) =>
      ask(checkoutId, (ledger) => ledger.readCardPayment(checkoutId, intentId)),
    readCheckout: (id) =>
      ask(id, async (ledger, cell) => ({ ...(await ledger.readCheckout(id)), cell })),
    readHandlePayment: (id) =>
      ask(id, async (ledger, cell) => ({ ...(await ledger.readHandlePayment(id)), cell })),
    async storeCallback(callback, cell) {
      const id = idIn(callback.subject)
      if (id === undefined) return of(cell ?? firstCell).storeCallback(callback)
      return ask(id, (ledger) => ledger.storeCallback(callback))
    },
  }
}

function idIn(subject: Callback['subject']): string | undefined {
  switch (subject.kind) {
    case 'token':
      return subject.token
    case 'intent':
      return subject.intentId
    case 'pay_bill':
      return undefined
  }
}

const unknown = new Set(['checkout_not_found', 'intent_not_found', 'route_not_found'])

/** Whether the cell has no such id, so that nothing was done there. The id of a closed payee exists. */
function isUnknown(error: unknown): boolean {
  return error instanceof Fault && unknown.has(error.reason) && error.facts['payee'] !== 'closed'
}
