import { collectDefaultMetrics, Counter, Gauge, Histogram, register } from 'prom-client'

collectDefaultMetrics()

export const metrics = register

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

/** Things that happened and that somebody may want to be woken by, by name. */
export const happenings = new Counter({
  name: 'malipo_happenings_total',
  help: 'Notable events by name, such as callback_unknown, late_success or contradiction',
  labelNames: ['name'],
})

export const invariantRows = new Gauge({
  name: 'malipo_invariant_violations',
  help: 'What breaks an invariant of the ledger, by its number: more than 0 is a person to be woken',
  labelNames: ['invariant'],
})

export const auditedAt = new Gauge({
  name: 'malipo_audited_timestamp_seconds',
  help: 'When the last audit ended: one that is older than two minutes is a person to be woken',
})
// A gauge without labels starts at 0, which would read as "audited in 1970" of every process that does not audit.
auditedAt.remove()

export const statementLag = new Gauge({
  name: 'malipo_statement_lag_seconds',
  help: 'How far the reading of a provider statement is behind, by provider; more than 900 is an alarm',
  labelNames: ['provider'],
})

/** How much there is of something, and how long the oldest of it has waited, by name. */
export const levels = new Gauge({
  name: 'malipo_level',
  help: 'Amounts and ages by name, such as suspense_open or inbox_oldest_s',
  labelNames: ['name'],
})
