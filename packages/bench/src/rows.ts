import { writeFileSync } from 'node:fs'
import { type CommandOptions, readCommand } from '@malipo/testing/command'
import {
  claimsPerMessageMax,
  leaseSeconds,
} from '../../../services/ledger/src/intents/rules/decide-claiming'
import { claimDue } from '../../../services/ledger/src/intents/store/claim-due'
import { expireOverdue } from '../../../services/ledger/src/intents/store/expire-overdue'
import { capture, type Captured } from './capture'
import { addSent, addUnsettled, copy } from './fixtures'
import { findPgbench, measure, type Measured } from './pgbench'
import {
  createScript,
  idFunction,
  readScript,
  type Script,
  scriptText,
  settleScript,
} from './scripts'
import { type BenchDatabase, type Server, withServer } from './server'
import { load, type Row, table } from './table'

const help = `Usage: npm run bench -- rows [OPTIONS]

Creates, reads and settles on a table of N checkouts beside one of 10,000 (of reads, any checkout and the newest), claims what is due on both, and ends a tenth
of N attempts whose deadlines have passed beside a plain UPDATE of as many rows. Prints ratios as "ledger" does.

  --rows N         10000000 unless given: about an hour and 25 GB of disk
  --rounds N       3 unless given
  --seconds N      of each measurement, 10 unless given
  --clients N      16 unless given
  --pgbench PATH   unless it is on the path
  --json PATH      writes the figures there too
  --help           this text
`

const numbers = { rows: 10_000_000, rounds: 3, seconds: 10, clients: 16 }
const texts = ['pgbench', 'json'] as const
const smallRows = 10_000
const paceMax = 12_000
const dueRows = 1_000

interface Table {
  readonly database: BenchDatabase
  readonly captured: Captured
  readonly rows: number
  used: number
}

interface Round {
  readonly created: Measured
  readonly read: Measured
  /** Reads of the newest 10,000 checkouts, the ones that payers and merchants look at. */
  readonly readNew: Measured
  readonly settled: Measured
  /** Claims of due jobs a second. */
  readonly claimed: number
}

type RowsOptions = CommandOptions<keyof typeof numbers, (typeof texts)[number]>

export async function benchRows(args: readonly string[]): Promise<number> {
  const options = readCommand(args, { help, numbers, texts })
  if (options === undefined) return 0
  const pgbench = findPgbench(options.pgbench)
  if (pgbench === undefined) return 2
  await withServer((server) => bench(server, pgbench, options))
  return 0
}

async function bench(server: Server, pgbench: string, options: RowsOptions): Promise<void> {
  const small = await fill(server.logDir, server.ledger, smallRows)
  const large = await fill(server.logDir, server.other, options.rows)
  const rounds: { readonly small: Round; readonly large: Round }[] = []
  for (let round = 1; round <= options.rounds; round += 1) {
    const run = (one: Table) => measureRound(pgbench, options, one)
    rounds.push({ small: await run(small), large: await run(large) })
    process.stderr.write(`round ${String(round)} of ${String(options.rounds)}\n`)
  }
  const expiry = await expire(large, Math.ceil(options.rows / 10))
  const rows = [...rowsOf(rounds), expiry]
  process.stdout.write(
    `${table(rows)}\n\n${options.rows.toLocaleString('en')} checkouts; load average ${load()}\n`,
  )
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify({ options, rounds, rows }, null, 2)}\n`)
}

/** Makes checkouts, each with a paid attempt. Messages and transfers are not copied. */
async function fill(logDir: string, database: BenchDatabase, rows: number): Promise<Table> {
  const captured = await capture(logDir, database)
  await database.pool.query(idFunction)
  const { pool } = database
  const stride = 500_000
  for (let from = 1; from <= rows; from += stride) {
    const range = { from, to: Math.min(rows, from + stride - 1) }
    const id = `bench_id('cs_ke_', n)`
    await copy(pool, { table: 'checkouts', id: captured.checkoutId, ...range }, { id })
    await copy(
      pool,
      { table: 'intents', id: captured.paidIntentId, ...range },
      {
        id: `bench_id('pi_', n)`,
        checkout_id: id,
        phone: `'2547' || lpad((n % 100000000)::text, 8, '0')`,
        attempt_reference: `'M' || lpad(upper(to_hex(n)), 11, '0')`,
        receipt: `'Q' || n`,
      },
    )
    process.stderr.write(`${range.to.toLocaleString('en')} of ${rows.toLocaleString('en')} rows\n`)
  }
  await pool.query('VACUUM ANALYZE')
  return { database, captured, rows, used: rows }
}

async function measureRound(pgbench: string, options: RowsOptions, one: Table): Promise<Round> {
  const { captured, database } = one
  const { clients, seconds } = options
  const run = (script: string, given: Readonly<Record<string, number>>) =>
    measure(pgbench, { database, script, clients, seconds, given })
  const next = () => {
    const first = one.used
    one.used += paceMax * seconds
    return { i: 0, first, each: Math.floor((paceMax * seconds) / clients) }
  }
  const runSent = async (script: Script, given: ReturnType<typeof next>) => {
    const { first, each } = given
    await addSent(database.pool, script, { from: first + 1, to: first + each * clients })
    return run(scriptText(script), given)
  }
  const created = await runSent(createScript(captured, 1), next())
  const read = await run(readScript(captured), { first: 1, rows: one.rows })
  const newest = { first: one.rows - smallRows + 1, rows: one.rows }
  const readNew = await run(readScript(captured), newest)
  const given = next()
  await addUnsettled(database.pool, captured, { from: given.first + 1, to: one.used }, false)
  await database.pool.query('ANALYZE')
  await database.pool.query('CHECKPOINT')
  const settled = await runSent(settleScript(captured), given)
  return { created, read, readNew, settled, claimed: await claim(database, captured) }
}

/**
 * Measures how many claims of due jobs the ledger makes a second. As many are due on the small table as on the large
 * one.
 */
async function claim({ pool }: BenchDatabase, { intentId }: Captured): Promise<number> {
  await pool.query(
    `UPDATE intents SET next_action_at = now() + interval '1 hour' WHERE next_action_at <= now()`,
  )
  await pool.query(
    `UPDATE provider_messages SET next_action_at = now() + interval '1 hour' WHERE next_action_at <= now()`,
  )
  await pool.query(
    `UPDATE intents SET next_action_at = now() WHERE id IN (
       SELECT id FROM intents WHERE next_action_at IS NOT NULL AND id <> $1 LIMIT ${String(dueRows)})`,
    [intentId],
  )
  const began = performance.now()
  const claims = 20
  for (let turn = 0; turn < claims; turn += 1)
    await claimDue(pool, { limit: 32, leaseSeconds, claimsPerMessageMax })
  return claims / ((performance.now() - began) / 1_000)
}

/**
 * Compares the pace at which the ledger ends overdue attempts, a thousand in a statement, with one UPDATE of the same
 * rows in a table without triggers.
 */
async function expire(one: Table, count: number): Promise<Row> {
  const { pool } = one.database
  const range = { from: one.used + 1, to: one.used + count }
  const checkout = `bench_id('cs_ke_', n)`
  await copy(pool, { table: 'checkouts', id: one.captured.checkoutId, ...range }, { id: checkout })
  await copy(
    pool,
    { table: 'intents', id: one.captured.intentId, ...range },
    {
      id: `bench_id('pi_', n)`,
      checkout_id: checkout,
      attempt_reference: `'M' || lpad(upper(to_hex(n)), 11, '0')`,
      deadline_at: `now() - interval '1 second'`,
    },
  )
  await pool.query('CREATE TABLE plain (LIKE intents INCLUDING ALL)')
  await pool.query('INSERT INTO plain SELECT * FROM intents WHERE deadline_at <= now()')
  await pool.query('VACUUM ANALYZE')
  const plain = await paceOf(count, async () => {
    await pool.query(`UPDATE plain SET status = 'expired', event = 'lapsed', ended_at = now(), cause = 'unconfirmed',
      deadline_at = NULL, next_action_at = now(), query_at = now()`)
  })
  const ours = await paceOf(count, async () => {
    for (let left = 1; left > 0;) {
      left = await expireOverdue(pool, { limit: 1_000, queryEverySeconds: 15 })
    }
  })
  const what = `end ${count.toLocaleString('en')} overdue attempts / plain UPDATE`
  return { goal: 'L5', what, atLeast: 0.6, ratios: [ours / plain] }
}

async function paceOf(count: number, work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return count / ((performance.now() - began) / 1_000)
}

const names = {
  created: 'created',
  read: 'read, any checkout',
  readNew: 'read, one of the newest 10,000',
  settled: 'settled',
} as const

function rowsOf(rounds: readonly { readonly small: Round; readonly large: Round }[]): Row[] {
  const works = ['created', 'read', 'readNew', 'settled'] as const
  const paces = works.map((work) => ({
    ...{ goal: 'L5', what: `${names[work]}, large / small: pace`, atLeast: 0.85 },
    ratios: rounds.map(({ small, large }) => large[work].pace / small[work].pace),
  }))
  // Small over large, so that more is better here too: a p99 that is 1.5 times as long is a ratio of 0.67.
  const waits = works.map((work) => ({
    ...{ goal: 'L5', what: `${names[work]}, small / large: p99`, atLeast: 0.67 },
    ratios: rounds.map(({ small, large }) => small[work].p99Ms / large[work].p99Ms),
  }))
  const processors = works.map((work) => ({
    ...{ goal: 'L5', what: `${names[work]}, small / large: processor time`, atLeast: 0.85 },
    ratios: rounds.map(({ small, large }) => small[work].processorUs / large[work].processorUs),
  }))
  const claims = {
    ...{ goal: 'L5', what: 'claim what is due, large / small: pace', atLeast: 0.85 },
    ratios: rounds.map(({ small, large }) => large.claimed / small.claimed),
  }
  return [...paces, ...waits, ...processors, claims]
}
