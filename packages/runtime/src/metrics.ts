import { collectDefaultMetrics, Counter, Gauge, Histogram, register } from 'prom-client'
import { systemClock } from './clock'

/**
 * How often the delay of the event loop is sampled. At the default of 10 ms an idle process spends three quarters of
 * its time on the samples.
 */
const loopSampleMs = 50

collectDefaultMetrics({ eventLoopMonitoringPrecision: loopSampleMs })

export const metrics = register

new Gauge({
  name: 'malipo_clock_seconds',
  help: 'The time of the process as it is asked; half a minute from the time of Prometheus pages an operator',
  collect() {
    this.set(systemClock.now() / 1_000)
  },
})

export const rpcDuration = new Histogram({
  name: 'malipo_rpc_seconds',
  help: 'How long a gRPC operation took on the serving side, by method and outcome',
  labelNames: ['method', 'outcome'],
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
})

export const httpDuration = new Histogram({
  name: 'malipo_http_seconds',
  help: 'How long an HTTP route took, by route and status',
  labelNames: ['route', 'status'],
  buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
})

export const jobDuration = new Histogram({
  name: 'malipo_job_seconds',
  help: 'How long a job took, by job and outcome; calls to providers are part of it',
  labelNames: ['job', 'outcome'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 30],
})

/** Events that may need a person, by name. */
export const notableEvents = new Counter({
  name: 'malipo_events_total',
  help: 'Notable events by name, such as callback_unknown, late_success or contradiction',
  labelNames: ['name'],
})

export const invariantRows = new Gauge({
  name: 'malipo_invariant_violations',
  help: 'Rows that break an invariant of the ledger, by its number; more than 0 pages an operator',
  labelNames: ['invariant'],
})

export const auditedAt = new Gauge({
  name: 'malipo_audited_timestamp_seconds',
  help: 'When the last audit ended; older than two minutes pages an operator',
})
// A gauge without labels starts at 0, which would read as "audited in 1970" in processes that never audit.
auditedAt.remove()

export const statementLag = new Gauge({
  name: 'malipo_statement_lag_seconds',
  help: 'How far the reading of a provider statement is behind, by provider; more than 900 is an alarm',
  labelNames: ['provider'],
})

export const reportedDay = new Gauge({
  name: 'malipo_reported_day_timestamp_seconds',
  help: 'When the newest day ended that has its reconciliation report; more than 26 hours ago is a ticket',
})
reportedDay.remove()

export const statementNotGranted = new Gauge({
  name: 'malipo_statement_not_granted',
  help: 'Whether a provider refused our last reading of its statement (1), by provider; 0 in a worker that does not read',
  labelNames: ['provider'],
})

/** Every ledger counts over the whole database of its country, so take the maximum of several, never the sum. */
export const payments = new Counter({
  name: 'malipo_payments_total',
  help: 'Intents that ended, by rail, outcome and cause; every ledger counts those of its whole country',
  labelNames: ['rail', 'outcome', 'cause'],
})

export const promptDelay = new Histogram({
  name: 'malipo_prompt_seconds',
  help: 'From a payment asked for to its prompt handed to a worker; every ledger counts those of its whole country',
  labelNames: ['rail'],
  buckets: [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60],
})

export const settlementDelay = new Histogram({
  name: 'malipo_settlement_seconds',
  help: 'From a message of a provider stored to its money posted; every ledger counts those of its whole country',
  labelNames: ['rail'],
  buckets: [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60],
})

export const failingCheck = new Gauge({
  name: 'malipo_check_failing',
  help: 'Whether a check of readiness fails just now (1), by check; a process with one is given no traffic',
  labelNames: ['check'],
})

export const checkDuration = new Gauge({
  name: 'malipo_check_seconds',
  help: 'How long the last check of readiness took, by check; that of a database is one round trip',
  labelNames: ['check'],
})

export const providerDuration = new Histogram({
  name: 'malipo_provider_seconds',
  help: 'How long a provider took, by rail, call and outcome; waiting for its pace and its token is part of it',
  labelNames: ['rail', 'call', 'outcome'],
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30],
})

export const payBillNumbersLeft = new Gauge({
  name: 'malipo_pay_bill_numbers_left',
  help: 'Account numbers of the Pay Bill menu that no checkout has had for a year; without one a checkout has no number',
})
payBillNumbersLeft.remove()

export const databaseConnectionsLeft = new Gauge({
  name: 'malipo_database_connections_left',
  help: 'Connections that the server of a ledger has left for its services; fewer than another ledger needs page an operator',
})
databaseConnectionsLeft.remove()

/**
 * Exports events at 0 before their first occurrence. A counter that starts at 1 has no rise that `rate` could show.
 */
export function expectEvents(names: readonly string[]): void {
  for (const name of names) notableEvents.inc({ name }, 0)
}

/** Backlog sizes and the age of their oldest item, by name. */
export const levels = new Gauge({
  name: 'malipo_level',
  help: 'Amounts and ages by name, such as suspense_open or inbox_oldest_s',
  labelNames: ['name'],
})
