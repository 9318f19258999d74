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
  type ComparedSlices,
  type FailedDays,
  readDifference,
  readReportedDay,
  readStatementLag,
  reconcileDueDay,
} from './store/recon-reports'
import { alarmUnpostedReports } from '../reports/store/alarm-reports'

export interface ReconcileDeps {
  readonly db: Database
  /** The pool of settlement, in whose transactions money is frozen. */
  readonly pool: SharedDatabase['pool']
  readonly log: Log
  readonly everySeconds: number
  /** A provider of this country has a statement, which a worker reads. */
  readonly hasStatement: boolean
  /** Checkouts have account numbers of the Pay Bill menu. */
  readonly hasPayBillNumbers: boolean
}

/** A payment that only a confirmation reported, and that the statement lacks for this long, is frozen. */
const unconfirmedAfterSeconds = 1_800

/**
 * Compares the journal with the providers' records while payments go on; freezes money that a confirmation reported and
 * no statement shows; raises an alarm for a report of payment whose receipt is not in the journal; and makes the report
 * of each day once it is over.
 */
export function startReconciling(deps: ReconcileDeps): { stop: () => Promise<void> } {
  const { log, everySeconds } = deps
  const turn: Turn = { ...deps, compared: new Map(), failed: new Set() }
  return repeat({ what: 'reconcile', everyMs: everySeconds * 1_000, log }, async () => {
    // A step that fails must not silence the alerts of the others.
    for (const step of steps) {
      await step(turn).catch((error: unknown) => {
        notableEvents.inc({ name: 'reconcile_step_failed' })
        log.warn({ error, step: step.name }, 'could not reconcile')
      })
    }
  })
}

interface Turn extends ReconcileDeps {
  readonly compared: ComparedSlices
  readonly failed: FailedDays
}

const steps: readonly ((turn: Turn) => Promise<void>)[] = [
  measureLag,
  measureReportedDay,
  freeze,
  alarm,
  measureDifference,
  measureNumbersLeft,
  measureAddresses,
  reportDueDay,
]

/** Removes the metric of a value that cannot be measured: its last value would still look normal. */
async function measured<Value>(reading: Promise<Value>, remove: () => void): Promise<Value> {
  return reading.catch((error: unknown) => {
    remove()
    throw error
  })
}

async function measureLag({ db, hasStatement }: ReconcileDeps): Promise<void> {
  if (!hasStatement) return
  const ofProvider = { provider: 'mpesa' }
  const lag = await measured(readStatementLag(db), () => {
    statementLag.remove(ofProvider)
  })
  statementLag.set(ofProvider, lag)
}

/** The metric is the time at which the day ended, so its age grows while no report can be made. */
async function measureReportedDay({ db }: ReconcileDeps): Promise<void> {
  reportedDay.set(await readReportedDay(db))
}

async function freeze({ db, pool, log }: ReconcileDeps): Promise<void> {
  for (const subject of await freezeUnconfirmed({ db, pool }, unconfirmedAfterSeconds)) {
    notableEvents.inc({ name: 'c2b_unconfirmed' })
    log.error({ subject }, 'a Pay Bill confirmation is not in the statement: its money is frozen')
  }
}

async function alarm({ db, log }: ReconcileDeps): Promise<void> {
  for (const { minor, ...report } of await alarmUnpostedReports(db)) {
    notableEvents.inc({ name: 'payment_report_unposted' })
    const unposted = { ...report, minor: String(minor) }
    log.error(unposted, 'a payment was reported, and its receipt is not in the journal')
  }
}

async function measureDifference({ db, compared }: Turn): Promise<void> {
  const difference = await measured(readDifference(db, compared), () => {
    for (const name of ['recon_diff_minor', 'statement_age_s']) levels.remove({ name })
  })
  for (const [name, value] of Object.entries(difference)) levels.set({ name }, value)
}

async function measureNumbersLeft({ db, hasPayBillNumbers }: ReconcileDeps): Promise<void> {
  if (!hasPayBillNumbers) return
  payBillNumbersLeft.set(
    await measured(countPayBillNumbersLeft(db), () => {
      payBillNumbersLeft.remove()
    }),
  )
}

async function measureAddresses({ db }: ReconcileDeps): Promise<void> {
  const level = { name: 'pay_bill_addresses_unproven' }
  const unproven = await measured(countUnprovenAddresses(db), () => {
    levels.remove(level)
  })
  levels.set(level, unproven)
}

async function reportDueDay({ db, log, failed }: Turn): Promise<void> {
  for (const { day, provider, differenceMinor, ...known } of await reconcileDueDay(db, failed)) {
    const write = differenceMinor === 0n ? log.info.bind(log) : log.error.bind(log)
    const { readUntil, unknownMinor } = known
    const found = { differenceMinor: String(differenceMinor), unknownMinor: String(unknownMinor) }
    write({ day, provider, readUntil, ...found }, 'a day is reconciled')
  }
}
