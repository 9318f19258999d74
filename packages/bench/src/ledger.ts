import { writeFileSync } from 'node:fs'
import { type Asked, readCommand } from '@malipo/testing/command'
import { capture, type Captured, merchant } from './capture'
import { addMerchants, addUnsettled } from './fixtures'
import { fillFloor, findPgbench, measure, pgbenchAdvice, tpcB } from './pgbench'
import { openPeer, type Peer } from './peer'
import { createScript, idFunction, settleManyScript, settleScript } from './scripts'
import { type Server, withServer } from './server'
import { load, type Row, table } from './table'

const help = `Usage: npm run bench -- ledger [OPTIONS]

Settles and creates by the statements that a running ledger sends, through pgbench, beside TPC-B on the same server in
the same run, over prepared statements, with every commit on disk. Prints ratios: min, median and max of the rounds.

  --rounds N        3 unless given
  --seconds N       of each measurement, 10 unless given
  --clients N       16 unless given
  --batch N         settlements a transaction in L3, 64 unless given
  --pgledger PATH   the file pgledger.sql of a copy of pgr0ss/pgledger; without it the rows beside it are left out
  --pgbench PATH    unless it is on the path
  --json PATH       writes the figures there too
  --help            this text
`

const numbers = { rounds: 3, seconds: 10, clients: 16, batch: 64 }
const texts = ['pgledger', 'pgbench', 'json'] as const

/** More than anybody settles in a second here. */
const paceMax = 12_000
const batchPaceMax = 24_000
const floorScale = 32

type LedgerAsked = Asked<keyof typeof numbers, (typeof texts)[number]>

interface Bench {
  readonly server: Server
  readonly captured: Captured
  readonly pgbench: string
  readonly peer: Peer | undefined
  readonly asked: LedgerAsked
  /** The first number that no measurement has used. */
  used: number
}

/** So many a transaction, by so many connections. */
interface Batches {
  readonly many: number
  readonly clients: number
}

/** What one round came to, in transactions or settlements a second. */
interface Round {
  readonly floor: number
  readonly hot: number
  readonly random: number
  readonly batched: number
  readonly created: number
  readonly gathered: number
  readonly createdBatched: number
  readonly peerHot: number | undefined
  readonly peerRandom: number | undefined
}

export async function benchLedger(args: readonly string[]): Promise<number> {
  const asked = readCommand(args, { help, numbers, texts })
  if (asked === undefined) return 0
  const pgbench = findPgbench(asked.pgbench)
  if (pgbench === undefined) {
    process.stderr.write(pgbenchAdvice)
    return 2
  }
  await withServer((server) => bench(server, pgbench, asked))
  return 0
}

async function bench(server: Server, pgbench: string, asked: LedgerAsked): Promise<void> {
  const captured = await capture(server.logDir, server.ledger)
  await server.ledger.pool.query(idFunction)
  await addMerchants(server.ledger.pool, merchant)
  await fillFloor(pgbench, server.floor.url, floorScale)
  const peer = asked.pgledger === undefined ? undefined : await openPeer(server, asked.pgledger)
  const given = { server, captured, pgbench, peer, asked, used: 1 }
  const before = load()
  const rounds: Round[] = []
  for (let round = 1; round <= asked.rounds; round += 1) {
    rounds.push(await measureRound(given))
    process.stderr.write(
      `round ${String(round)} of ${String(asked.rounds)}: ${figures(rounds.at(-1))}\n`,
    )
  }
  const rows = rowsOf(rounds)
  const loads = { before, after: load() }
  process.stdout.write(`${table(rows)}\n\nload average before ${before}, after ${loads.after}\n`)
  if (peer === undefined) process.stdout.write('L2 is left out: no --pgledger was given\n')
  if (asked.json !== undefined) {
    writeFileSync(asked.json, `${JSON.stringify({ asked, loads, rounds, rows }, null, 2)}\n`)
  }
}

async function measureRound(bench: Bench): Promise<Round> {
  const { captured, asked, peer, server } = bench
  const { clients, seconds } = asked
  const floor = await measure(bench.pgbench, {
    url: server.floor.url,
    script: tpcB,
    clients,
    seconds,
  })
  const one = { many: 1, clients }
  const hot = await settle(bench, settleScript(captured), { ofMany: false, ...one })
  const random = await settle(bench, settleScript(captured), { ofMany: true, ...one })
  const batched = await settle(bench, settleManyScript(captured, asked.batch), {
    ofMany: false,
    many: asked.batch,
    clients,
  })
  const created = await run(bench, createScript(captured, 1), take(bench, paceMax * seconds), one)
  const size = batchSizeOf(clients)
  const gathered = await settle(bench, settleManyScript(captured, size), {
    ofMany: true,
    many: size,
    clients: 1,
  })
  const createdBatched = await run(
    bench,
    createScript(captured, size),
    take(bench, batchPaceMax * seconds),
    { many: size, clients: 1 },
  )
  const beside = async (script: string | undefined) =>
    script === undefined
      ? undefined
      : (await measure(bench.pgbench, { url: server.floor.url, script, clients, seconds })).pace
  return {
    floor: floor.pace,
    hot,
    random,
    batched,
    created,
    gathered,
    createdBatched,
    peerHot: await beside(peer?.hot),
    peerRandom: await beside(peer?.random),
  }
}

/** Of so many callers two go alone, and the others gather while a size is under way: one size at a time. */
const batchSizeOf = (clients: number) => clients - 2

/** Settlements a second. */
async function settle(
  bench: Bench,
  script: string,
  { ofMany, ...batches }: Batches & { readonly ofMany: boolean },
): Promise<number> {
  const { seconds } = bench.asked
  const range = take(bench, (batches.many === 1 ? paceMax : batchPaceMax) * seconds)
  await addUnsettled(bench.server.ledger.pool, bench.captured, range, ofMany)
  for (const name of [
    'checkouts',
    'intents',
    'provider_messages',
    'transfers',
    'idempotency_keys',
  ]) {
    await bench.server.ledger.pool.query(`VACUUM ANALYZE ${name}`)
  }
  await bench.server.ledger.pool.query('CHECKPOINT')
  return run(bench, script, range, batches)
}

function take(bench: Bench, count: number): { from: number; to: number } {
  const from = bench.used
  bench.used = from + count
  return { from, to: from + count - 1 }
}

async function run(
  bench: Bench,
  script: string,
  range: { from: number; to: number },
  { many, clients }: Batches,
) {
  // Batches begin at whole multiples of their size.
  const first = Math.ceil((range.from - 1) / many)
  const each = Math.floor((range.to / many - first) / clients)
  const { pace } = await measure(bench.pgbench, {
    url: bench.server.ledger.url,
    script,
    clients,
    seconds: bench.asked.seconds,
    given: { i: 0, each, first },
  })
  return pace * many
}

type Pace = (round: Round) => number | undefined

const floor: Pace = (round) => round.floor

/** Goal, what is compared, ours, what it is compared with, and at least how many times as fast it has to be. */
const comparisons: readonly (readonly [string, string, Pace, Pace, number])[] = [
  ['L1', 'settle one by one, one hot merchant / TPC-B', (r) => r.hot, floor, 2],
  ['L1', 'settle as the ledger gathers what comes at once / TPC-B', (r) => r.gathered, floor, 2],
  [
    'L2',
    'settle, random merchants / pgledger, random accounts',
    (r) => r.random,
    (r) => r.peerRandom,
    3,
  ],
  ['L2', 'settle, one hot merchant / pgledger, one hot account', (r) => r.hot, (r) => r.peerHot, 8],
  ['L3', 'settle in batches / TPC-B', (r) => r.batched, floor, 5],
  ['L4', 'create with its idempotency key / TPC-B', (r) => r.created, floor, 2.5],
  [
    'L4',
    'create as the ledger gathers what comes at once / TPC-B',
    (r) => r.createdBatched,
    floor,
    2.5,
  ],
]

function rowsOf(rounds: readonly Round[]): Row[] {
  return comparisons
    .map(([goal, what, ours, theirs, atLeast]) => ({
      ...{ goal, what, atLeast },
      ratios: rounds.flatMap((round) => {
        const [pace, base] = [ours(round), theirs(round)]
        return pace === undefined || base === undefined ? [] : [pace / base]
      }),
    }))
    .filter(({ ratios }) => ratios.length > 0)
}

function figures(round: Round | undefined): string {
  return Object.entries(round ?? {})
    .flatMap(([name, pace]) =>
      pace === undefined ? [] : [`${name} ${Math.round(Number(pace)).toLocaleString('en')}`],
    )
    .join(', ')
}
