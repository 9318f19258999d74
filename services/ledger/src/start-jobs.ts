import { railAbilities } from '@malipo/kernel/rail-abilities'
import type { Log } from '@malipo/runtime/log'
import { expectEvents } from '@malipo/runtime/metrics'
import type { Opened } from '@malipo/runtime/process'
import type { Config } from './config'
import type { Database, Databases } from './database/database'
import { startAuditing } from './audit/audit-ledger'
import { startExpiringIntents } from './intents/expire-intents'
import { type PromptWatch, watchPrompts } from './intents/watch-prompts'
import { startMeasuringPayments } from './audit/measure-payments'
import { startReconciling } from './statements/start-reconciling'
import { startWritingExpiries } from './webhooks/write-expiries'

export interface JobsOptions {
  readonly databases: Databases
  /** One connection for jobs that read much, so that they take none from payments. */
  readonly beside: Database
  readonly config: Config
  readonly log: Log
}

/** The names of the counted events that alerts watch. Each is exported with 0 before its first event. */
const countedEvents = [
  'contradiction',
  'inbox_parked',
  'payment_report_unposted',
  'reconcile_step_failed',
  'c2b_unconfirmed',
  'statement_row_contradicts',
  'prompt_refused_busy',
] as const

/** Starts what the ledger does without being called. Returns the watch of prompts, which operations ask. */
export async function startJobs(
  { databases, beside, config, log }: JobsOptions,
  opened: Opened,
): Promise<{ readonly promptWatch: PromptWatch }> {
  const { queryEverySeconds, promptWaitMaxSeconds: waitMaxSeconds } = config
  if (!config.isClockOfTest) {
    const expiry = startExpiringIntents({ pool: databases.settle.pool, log, queryEverySeconds })
    opened.add('expiry', expiry.stop)
  }
  const promptWatch = watchPrompts({ pool: databases.pay.pool, log, waitMaxSeconds })
  opened.add('prompt watch', promptWatch.stop)
  const expiries = startWritingExpiries({ ...databases.create, log })
  opened.add('expiry events', expiries.stop)
  const auditing = startAuditing({ db: beside, log, everySeconds: config.auditEverySeconds })
  opened.add('audit', auditing.stop)
  const reconciling = startReconciling({
    db: beside,
    pool: databases.settle.pool,
    log,
    everySeconds: config.reconcileEverySeconds,
    hasStatement: config.country.mobileRails.some((rail) => railAbilities[rail].hasStatement),
    hasPayBillNumbers: config.payBillNumberKey !== undefined,
  })
  opened.add('reconciliation', reconciling.stop)
  const measuring = await startMeasuringPayments({
    db: databases.read.db,
    log,
    everySeconds: config.measureEverySeconds,
  })
  opened.add('measuring', measuring.stop)
  expectEvents(countedEvents)
  return { promptWatch }
}
