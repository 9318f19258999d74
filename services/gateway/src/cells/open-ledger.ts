import { Fault } from '@malipo/kernel/errors'
import { openLedgerConnection } from '@malipo/ledger-client/connection'
import { type Ledger, ledgerOver } from '@malipo/ledger-client/ledger'
import { type CallClass, eachClass } from '@malipo/runtime/call-classes'
import type { Slots } from '@malipo/runtime/call-slots'

/** A page waits at most ten seconds in all, so no single upstream call may take that long. */
const readMs = 1_500
const writeMs = 3_000

export interface LedgerOptions extends Pick<
  Parameters<typeof openLedgerConnection>[0],
  'address' | 'country' | 'identity'
> {
  /** False where this host has no card gateway: then no checkout offers a card. */
  readonly isCardOn: boolean
  /** Calls in flight of each class. */
  readonly slots: Readonly<Record<CallClass, Slots>>
}

/**
 * The ledger over one connection for each class of calls, so that a broken connection ends calls of one class only, and
 * each class has its own bound.
 */
export function openLedger({ isCardOn, slots, ...at }: LedgerOptions): Ledger {
  const classes = eachClass((callClass) =>
    openLedgerConnection({ ...at, readMs, writeMs, slots: slots[callClass] }),
  )
  const { settle, pay, create, read } = classes
  const ledger = ledgerOver({
    ...settle,
    reads: { ...read.reads, checkPayBill: settle.reads.checkPayBill },
    writes: {
      ...settle.writes,
      createCheckout: create.writes.createCheckout,
      startIntent: pay.writes.startIntent,
      startHandleIntent: pay.writes.startHandleIntent,
      startCardIntent: pay.writes.startCardIntent,
    },
    close: () => {
      for (const { close } of Object.values(classes)) close()
    },
  })
  return {
    ...ledger,
    startIntent: (request) => ledger.startIntent(request).catch(sayBusy),
    startHandleIntent: (request) => ledger.startHandleIntent(request).catch(sayBusy),
    startCardIntent: (request) => ledger.startCardIntent(request).catch(sayBusy),
    async readCheckout(checkoutId) {
      const { card, ...checkout } = await ledger.readCheckout(checkoutId)
      return { ...checkout, card: isCardOn ? card : undefined }
    },
  }
}

/** Adds the reason to a refusal of the ledger for load: too many prompts wait, so a new one would be sent too late. */
function sayBusy(error: unknown): never {
  if (!(error instanceof Fault) || error.facts['busy'] !== true) throw error
  const description = 'Too many payments wait for their prompt, and none was sent: try again soon'
  throw new Fault(error.reason, error.facts, error, { description })
}
