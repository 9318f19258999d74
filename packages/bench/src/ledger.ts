import { writeFileSync } from 'node:fs'
import { type CommandOptions, readCommand } from '@malipo/testing/command'
import { capture, type Captured, merchant } from './capture'
import { addMerchants, addSent, addUnsettled } from './fixtures'
import { fillFloor, findPgbench, measure, type Measured, tpcB } from './pgbench'
import { openPeer, type Peer } from './peer'
import {
  createScript,
  idFunction,
  type Script,
  scriptText,
  settleManyScript,
  settleScript,
} from './scripts'
import { type Server, withServer } from './server'
import { load, type Row, table } from './table'

const help = `Usage: npm run bench -- ledger [OPTIONS]

Settles and creates by the statements that a running ledger sends, through pgbench, beside TPC-B on the same server in
the same run, over prepared statements, with every commit on disk. Prints ratios: min, median and max of the rounds.

  --rounds N        3 unless given
  --seconds N       of each measurement, 10 unless given
  --clients N       16 unless given
  --batch N         settlements or creations a transaction in L3 and L4, 64 unless given
  --pgledger PATH   the file pgledger.sql of a copy of pgr0ss/pgledger; without it the rows beside it are left out
  --pgbench PATH    unless it is on the path
  --json PATH       writes the figures there too
  --help            this text
`

const numbers = { rounds: 3, seconds: 10, clients: 16, batch: 64 }
const texts = ['pgledger', 'pgbench', 'json'] as const

/** How many rows are prepared for each second of a measurement, which is more than any run uses up. */
const paceMax = 12_000
const batchPaceMax = 32_000
const createPaceMax = 80_000
const floorScale = 32

type LedgerOptions = CommandOptions<keyof typeof numbers, (typeof texts)[number]>

interface Bench {
  readonly server: Server
  readonly captured: Captured
  readonly pgbench: string
  readonly peer: Peer | undefined
  readonly options: LedgerOptions
  /** The first row number that no measurement has used. */
  used: number
}

/** How many payments each transaction settles, or checkouts it creates (`many`), and over how many connections. */
interface Batches {
  readonly many: number
  readonly clients: number
}

/** Settlements, creations or transactions a second, and the server's processor time of one. */
type Pace = Pick<Measured, 'pace' | 'processorUs'>

type Round = Readonly<Record<Work, Pace>> & Partial<Readonly<Record<PeerWork, Pace>>>

type Work =
  | 'floor'
  | 'alone'
  | 'hot'
  | 'random'
  | 'settled64'
  | 'created'
  | 'created16'
  | 'created64'
type PeerWork = 'peerHot' | 'peerRandom'

export async function benchLedger(args: readonly string[]): Promise<number> {
  const options = readCommand(args, { help, numbers, texts })
  if (options === undefined) return 0
  const pgbench = findPgbench(options.pgbench)
  if (pgbench === undefined) return 2
  await withServer((server) => bench(server, pgbench, options))
  return 0
}

async function bench(server: Server, pgbench: string, options: LedgerOptions): Promise<void> {
  const captured = await capture(server.logDir, server.ledger)
  await server.ledger.pool.query(idFunction)
  await addMerchants(server.ledger.pool, merchant)
  await fillFloor(pgbench, server.floor.url, floorScale)
  const peer = options.pgledger === undefined ? undefined : await openPeer(server, options.pgledger)
  const given = { server, captured, pgbench, peer, options, used: 1 }
  const before = load()
  const rounds: Round[] = []
  for (let round = 1; round <= options.rounds; round += 1) {
    rounds.push(await measureRound(given))
    process.stderr.write(
      `round ${String(round)} of ${String(options.rounds)}: ${figures(rounds.at(-1))}\n`,
    )
  }
  const rows = rowsOf(rounds)
  const loads = { before, after: load() }
  process.stdout.write(`${table(rows)}\n\nload average before ${before}, after ${loads.after}\n`)
  if (peer === undefined) process.stdout.write('L2 is left out: no --pgledger was given\n')
  if (options.json !== undefined) {
    writeFileSync(options.json, `${JSON.stringify({ options, loads, rounds, rows }, null, 2)}\n`)
  }
}

async function measureRound(bench: Bench): Promise<Round> {
  const { captured, options, peer, server } = bench
  const { clients, seconds } = options
  // With two clients, a transaction hardly ever waits for the row of another: the pace is that of single calls.
  const one = { many: 1, clients: 2 }
  const lot = { many: batchSizeOf(clients), clients: 1 }
  const full = { many: options.batch, clients: 2 }
  const beside = async (script: string) =>
    measure(bench.pgbench, { database: server.floor, script, clients, seconds })
  const create = async (batches: Batches) => {
    const range = take(bench, (batches.many === 1 ? paceMax : createPaceMax) * seconds)
    return run(bench, createScript(captured, batches.many), range, batches)
  }
  return {
    floor: await beside(tpcB),
    alone: await settle(bench, { ofMany: false, ...one }),
    hot: await settle(bench, { ofMany: false, ...lot }),
    random: await settle(bench, { ofMany: true, ...lot }),
    settled64: await settle(bench, { ofMany: false, ...full }),
    created: await create(one),
    created16: await create(lot),
    created64: await create(full),
    ...(peer && { peerHot: await beside(peer.hot), peerRandom: await beside(peer.random) }),
  }
}

/**
 * How many of the callers share a batch: the ledger serves two callers singly, and the others wait for the next batch
 * while one is under way.
 */
const batchSizeOf = (clients: number) => clients - 2

async function settle(
  bench: Bench,
  { ofMany, ...batches }: Batches & { readonly ofMany: boolean },
): Promise<Pace> {
  const { captured } = bench
  const { seconds } = bench.options
  const { many } = batches
  const script = many === 1 ? settleScript(captured) : settleManyScript(captured, many)
  const range = take(bench, (batches.many === 1 ? paceMax : batchPaceMax) * seconds)
  await addUnsettled(bench.server.ledger.pool, captured, range, ofMany)
  for (const name of [
    'checkouts',
    'intents',
    'provider_messages',
    'transfers',
    'idempotency_keys',
  ]) {
    await bench.server.ledger.pool.query(`VACUUM ANALYZE ${name}`)
  }
  return run(bench, script, range, batches)
}

function take(bench: Bench, count: number): { from: number; to: number } {
  const from = bench.used
  bench.used = from + count
  return { from, to: from + count - 1 }
}

async function run(
  bench: Bench,
  script: Script,
  range: { from: number; to: number },
  { many, clients }: Batches,
): Promise<Pace> {
  // Batches begin at whole multiples of their size.
  const first = Math.ceil((range.from - 1) / many)
  const each = Math.floor((range.to / many - first) / clients)
  await addSent(bench.server.ledger.pool, script, { from: first + 1, to: first + each * clients })
  await bench.server.ledger.pool.query('CHECKPOINT')
  const { pace, processorUs } = await measure(bench.pgbench, {
    database: bench.server.ledger,
    script: scriptText(script),
    clients,
    seconds: bench.options.seconds,
    given: { i: 0, each, first },
  })
  return { pace: pace * many, processorUs: processorUs / many }
}

/** Each row: the goal, its text, two kinds of work, and how many times as fast the first has to be at least. */
const paces: readonly (readonly [string, string, Work, 'floor' | PeerWork, number])[] = [
  ['L1', 'settle, 16 callers, one hot merchant / TPC-B', 'hot', 'floor', 1.1],
  ['L2', 'settle, random merchants / pgledger, random accounts', 'random', 'peerRandom', 1.5],
  ['L2', 'settle, one hot merchant / pgledger, one hot account', 'hot', 'peerHot', 5],
  ['L3', 'settle 64 together, two batches at once / TPC-B', 'settled64', 'floor', 2],
  ['L4', 'create with its idempotency key, 16 callers / TPC-B', 'created16', 'floor', 1.9],
  ['L4', 'create with its idempotency key, 64 together / TPC-B', 'created64', 'floor', 3],
]

/** TPC-B's processor time over ours, so that more is better here too: 0.55 of TPC-B's time is a ratio of 1.82. */
const processorTimes: readonly (readonly [string, string, Work, number])[] = [
  ['L1', 'TPC-B / settle one by one, two at once', 'alone', 1 / 2],
  ['L1', 'TPC-B / settle, 16 callers, one hot merchant', 'hot', 1 / 0.55],
  ['L3', 'TPC-B / settle 64 together', 'settled64', 1 / 0.46],
  ['L4', 'TPC-B / create, 16 callers', 'created16', 1 / 0.3],
  ['L4', 'TPC-B / create, 64 together', 'created64', 1 / 0.3],
]

function rowsOf(rounds: readonly Round[]): Row[] {
  const ofPace = paces.map(([goal, what, ours, theirs, atLeast]) => ({
    ...{ goal, what: `${what}: pace`, atLeast },
    ratios: rounds.flatMap((round) => {
      const base = round[theirs]
      return base === undefined ? [] : [round[ours].pace / base.pace]
    }),
  }))
  const ofTime = processorTimes.map(([goal, what, ours, atLeast]) => ({
    ...{ goal, what: `${what}: processor time`, atLeast },
    ratios: rounds.map((round) => round.floor.processorUs / round[ours].processorUs),
  }))
  return [...ofPace, ...ofTime].filter(({ ratios }) => ratios.length > 0)
}

function figures(round: Round | undefined): string {
  return Object.entries(round ?? {})
    .map(([name, { pace, processorUs }]) => {
      const perSecond = Math.round(pace).toLocaleString('en')
      return `${name} ${perSecond}/s ${processorUs.toFixed(0)} us`
    })
    .join(', ')
}
