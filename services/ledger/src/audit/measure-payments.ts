import { oncePresent } from '@malipo/runtime/database'
import type { Log } from '@malipo/runtime/log'
import {
  databaseConnectionsLeft,
  payments,
  promptDelay,
  settlementDelay,
} from '@malipo/runtime/metrics'
import { repeat } from '@malipo/runtime/repeat'
import { type DatabaseInstant, instantAgo } from './store/audit'
import type { Database } from '../database/database'
import { readConnectionsLeft, readPaymentMeasures } from './store/payment-measures'

export interface MeasurePaymentsDeps {
  readonly db: Database
  readonly log: Log
  readonly everySeconds: number
}

/**
 * Counts the outcomes of payments from the database, so that no way of ending one is forgotten. Every ledger counts
 * all of them, whichever ledger they came to: the rules take the largest count, not the sum.
 */
export async function startMeasuringPayments({
  db,
  log,
  everySeconds,
}: MeasurePaymentsDeps): Promise<{ stop: () => Promise<void> }> {
  // By default five seconds, so that transactions have committed. One that lasts longer is waited for as well.
  const restSeconds = everySeconds / 2
  let since: DatabaseInstant = await oncePresent(() => instantAgo(db, restSeconds))
  return repeat({ what: 'measure payments', everyMs: everySeconds * 1_000, log }, async () => {
    const { until, ends, prompts, settlements } = await readPaymentMeasures(db, since, restSeconds)
    for (const { payments: count, ...labels } of ends) payments.inc(labels, count)
    for (const { rail, seconds } of prompts) promptDelay.observe({ rail }, seconds)
    for (const { rail, seconds } of settlements) settlementDelay.observe({ rail }, seconds)
    since = until
    databaseConnectionsLeft.set(await readConnectionsLeft(db))
  })
}
