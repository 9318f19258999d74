import type { Log } from '@malipo/runtime/log'
import {
  notableEvents,
  levels,
  payBillNumbersLeft,
  reportedDay,
  statementLag,
} from '@malipo/runtime/metrics'
import { repeat } from '@malipo/runtime/repeat'
import type { Database, SharedDatabase } from '../database/database'
import { freezeUnconfirmed } from '../freezes/store/freeze-unconfirmed'
import { countUnprovenAddresses } from '../pay-bill/store/pay-bill-addresses'
import { countPayBillNumbersLeft } from '../pay-bill/store/pay-bill-numbers'
import {
  readDifference,
  readReportedDay,
  readStatementLag,
  reconcileDueDay,
} from './store/recon-reports'
import { alarmUnpostedReports } from '../reports/store/alarm-reports'

export interface ReconcileDeps {
  readonly db: Database
  /** What takes part in settlement. */
  readonly pool: SharedDatabase['pool']
  readonly log: Log
  readonly everySeconds: number
  /** A provider of this country has a statement, which a worker reads. */
  readonly hasStatement: boolean
  /** Checkouts have account numbers of the Pay Bill menu. */
  readonly hasPayBillNumbers: boolean
}

/** A reported payment that is missing in the provider's statement for this long is not believed any more. */
const unconfirmedAfterSeconds = 1_800

/**
 * Compares the journal with what providers say came in, while payments go on; freezes money that a confirmation reported
 * and no statement shows; raises an alarm for a report of payment that is not in the journal; and makes the report of
 * each day when it is over.
 */
export function startReconciling(deps: ReconcileDeps): { stop: () => Promise<void> } {
  const { db, pool, log, everySeconds } = deps
  return repeat({ what: 'reconcile', everyMs: everySeconds * 1_000, log }, async () => {
    reportedDay.set(await readReportedDay(db))
    for (const subject of await freezeUnconfirmed({ db, pool }, unconfirmedAfterSeconds)) {
      notableEvents.inc({ name: 'c2b_unconfirmed' })
      log.error({ subject }, 'a Pay Bill confirmation is not in the statement: its money is frozen')
    }
    for (const { minor, ...report } of await alarmUnpostedReports(db)) {
      notableEvents.inc({ name: 'payment_report_unposted' })
      const unposted = { ...report, minor: String(minor) }
      log.error(unposted, 'a payment was reported, and its receipt is not in the journal')
    }
    const difference = await readDifference(db)
    for (const [name, value] of Object.entries(difference)) levels.set({ name }, value)
    if (deps.hasPayBillNumbers) payBillNumbersLeft.set(await countPayBillNumbersLeft(db))
    levels.set({ name: 'pay_bill_addresses_unproven' }, await countUnprovenAddresses(db))
    if (deps.hasStatement) statementLag.set({ provider: 'mpesa' }, await readStatementLag(db))
    for (const { day, provider, differenceMinor, ...known } of await reconcileDueDay(db)) {
      const write = differenceMinor === 0n ? log.info.bind(log) : log.error.bind(log)
      const { readUntil, unknownMinor } = known
      const found = { differenceMinor: String(differenceMinor), unknownMinor: String(unknownMinor) }
      write({ day, provider, readUntil, ...found }, 'a day is reconciled')
    }
  })
}
