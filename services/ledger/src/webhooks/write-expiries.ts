import type { Log } from '@malipo/runtime/log'
import { repeat } from '@malipo/runtime/repeat'
import { forgetOldEvents, writeExpiries } from './store/checkout-expiries'
import type { SharedDatabase } from '../database/database'

const everyMs = 1_000

/** The most rows of one statement, so that it ends well within its time limit. A backlog takes several. */
const batchMax = 200

/**
 * Each second, writes the events of checkouts that have expired, which no call to the ledger marks, and removes events
 * that are too old to show. Ledgers that do so at once pass over each other's rows.
 */
export function startWritingExpiries({
  pool,
  log,
}: Pick<SharedDatabase, 'pool'> & { readonly log: Log }): { stop: () => Promise<void> } {
  return repeat({ what: 'write the events of expired checkouts', everyMs, log }, async () => {
    while ((await writeExpiries(pool, batchMax)) === batchMax);
    await forgetOldEvents(pool, batchMax)
  })
}
