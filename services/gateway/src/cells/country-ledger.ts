import { type Cell, cellOf, firstCell } from '@malipo/kernel/cells'
import { Fault } from '@malipo/kernel/errors'
import type { PayerCheckout } from '@malipo/ledger-client/checkouts'
import type { HandlePayment } from '@malipo/ledger-client/intents'
import type { Ledger } from '@malipo/ledger-client/ledger'
import type { Callback } from '@malipo/ledger-client/messages'

/** What was read, and the cell that it is in. */
export type Placed<Read> = Read & { readonly cell: Cell }

/** The ledgers of a country: what has an id is asked where the id is, and what is an account's of its own cell. */
export interface CountryLedger extends Pick<
  Ledger,
  'readIntent' | 'startIntent' | 'startCardIntent' | 'readCardPayment'
> {
  /** Fault: ledger_unavailable, of a cell that this host does not know yet. */
  of(cell: Cell): Ledger
  readCheckout(checkoutId: string): Promise<Placed<PayerCheckout>>
  readHandlePayment(intentId: string): Promise<Placed<HandlePayment>>
  /** `cell`: where the callback's address says so, as money without a prompt has no id. */
  storeCallback(callback: Callback, cell?: Cell): Promise<string>
}

/** `ledgers`: of each cell, in the order of their numbers. */
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
      // An id of the time before cells begins with any digits.
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

/** The cell answered, and has no such id: nothing was done. One whose payee is closed is there, though it is not shown. */
function isUnknown(error: unknown): boolean {
  return error instanceof Fault && unknown.has(error.reason) && error.facts['payee'] !== 'closed'
}
