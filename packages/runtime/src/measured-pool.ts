import { AsyncResource } from 'node:async_hooks'
import type { EventEmitter } from 'node:events'
import { Pool, type PoolClient, type PoolConfig, type QueryConfig } from 'pg'
import { Gauge, Histogram } from 'prom-client'
import { expectEvents, notableEvents } from './metrics'
import { isTracing } from './tracing'
import { openSpan } from './telemetry'

const pools = new Map<string, Pool>()

const poolWait = new Histogram({
  name: 'malipo_pool_wait_seconds',
  help: 'How long work waited for a connection of a database pool, by pool and outcome',
  labelNames: ['pool', 'outcome'],
  buckets: [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2],
})

new Gauge({
  name: 'malipo_pool_used',
  help: 'Connections of a database pool that are in use',
  labelNames: ['pool'],
  collect() {
    readPools(this, (pool) => pool.totalCount - pool.idleCount)
  },
})

new Gauge({
  name: 'malipo_pool_max',
  help: 'Connections that a database pool may have',
  labelNames: ['pool'],
  collect() {
    readPools(this, ({ options }) => options.max)
  },
})

new Gauge({
  name: 'malipo_pool_waiting',
  help: 'Pieces of work that wait for a connection of a database pool',
  labelNames: ['pool'],
  collect() {
    readPools(this, (pool) => pool.waitingCount)
  },
})

function readPools(gauge: Gauge<'pool'>, read: (pool: Pool) => number): void {
  gauge.reset()
  for (const [name, pool] of pools) {
    if (pool.ended) pools.delete(name)
    else gauge.set({ pool: name }, read(pool))
  }
}

type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (isBroken?: boolean | Error) => void,
) => void

/** A pool of database connections that exports its use and its waits as metrics, labelled with its name. */
class MeasuredPool extends Pool {
  readonly #name: string

  constructor(name: string, config: PoolConfig) {
    super(config)
    this.#name = name
  }

  /** Every query and every transaction takes its connection here. */
  override connect(): Promise<PoolClient>
  override connect(done: Connected): void
  override connect(done?: Connected): Promise<PoolClient> | undefined {
    const stopTimer = poolWait.startTimer({ pool: this.#name })
    const measured: Connected = (error, client, release) => {
      stopTimer({ outcome: error === undefined ? 'ok' : 'refused' })
      done?.(error, client, release)
    }
    if (done !== undefined) {
      // pg would call this in the async context of the work that released the connection, and so in its trace. It is
      // bound to the context of the work that waits for the connection.
      super.connect(isTracing() ? AsyncResource.bind(measured) : measured)
      return undefined
    }
    const connected = super.connect()
    connected.then(
      () => stopTimer({ outcome: 'ok' }),
      () => stopTimer({ outcome: 'refused' }),
    )
    return connected
  }
}

export function openMeasuredPool(name: string, config: PoolConfig): Pool {
  const pool = new MeasuredPool(name, config)
  // Without these listeners a connection that breaks while idle, or between two statements, would end the process.
  // With them the pool opens another one, or the next statement fails.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('connect', countFullDisk)
  if (isTracing()) pool.on('connect', traceStatements)
  expectEvents(['database_disk_full'])
  pools.set(name, pool)
  return pool
}

/** The SQLSTATE of a server whose disk is full. */
const diskFull = '53100'

/** Counts statements that a full disk refused. Only a connection sees every error, also of Prisma's statements. */
function countFullDisk(client: PoolClient): void {
  const { connection } = client as unknown as { readonly connection: EventEmitter }
  connection.on('errorMessage', ({ code }: { readonly code?: string }) => {
    if (code === diskFull) notableEvents.inc({ name: 'database_disk_full' })
  })
}

type Query = (...given: readonly unknown[]) => unknown
type Done = (error: unknown, result: unknown) => void

/** Gives each statement of a connection a span within the work that asked for it, named as the statement is. */
function traceStatements(client: PoolClient): void {
  const query = client.query.bind(client) as Query
  const traced: Query = (...given) => {
    const span = openSpan(nameOf(given[0]), {
      kind: 'CLIENT',
      attributes: { 'db.system.name': 'postgresql' },
    })
    if (span.traceparent === undefined) return query(...given)
    const last = given.at(-1)
    if (typeof last === 'function') {
      const done: Done = (error, result) => {
        span.end({ isError: error instanceof Error })
        ;(last as Done)(error, result)
      }
      return query(...given.slice(0, -1), done)
    }
    const answered = query(...given)
    if (answered instanceof Promise) {
      answered.then(
        () => {
          span.end({ isError: false })
        },
        () => {
          span.end({ isError: true })
        },
      )
    } else span.end({ isError: false })
    return answered
  }
  Object.assign(client, { query: traced })
}

/**
 * The name of one of our statements, or the SQL verb of a statement of Prisma, whose names are digests. Neither
 * contains data.
 */
function nameOf(given: unknown): string {
  const { name, text = '' } = (
    typeof given === 'string' ? { text: given } : given
  ) as Partial<QueryConfig>
  if (name !== undefined && !/^[0-9a-f]{32}$/.test(name)) return name
  return /\w+/.exec(text)?.[0].toUpperCase() ?? 'statement'
}
