import { writeFileSync } from 'node:fs'
import { readCommand } from '@malipo/testing/command'
import { capture, type Captured, merchant } from './capture'
import { addMerchants, addUnsettled } from './fixtures'
import { fillFloor, findPgbench, measure, pgbenchAdvice, tpcB } from './pgbench'
import { openPeer, type Peer } from './peer'
import { createScript, idFunction, settleManyScript, settleScript } from './scripts'
import { openServer, type Server } from './server'
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

interface Bench {
  readonly server: Server
  readonly captured: Captured
  readonly pgbench: string
  readonly peer: Peer | undefined
  readonly asked: typeof numbers
  /** The first number that no measurement has used. */
  used: number
}

/** What one round came to, in transactions or settlements a second. */
interface Round {
  readonly floor: number
  readonly hot: number
  readonly random: number
  readonly batched: number
  readonly created: number
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
  const server = await openServer()
  const captured = await capture(server.logDir, server.ledger)
  await server.ledger.pool.query(idFunction)
  await addMerchants(server.ledger.pool, merchant)
  await fillFloor(pgbench, server.floor.url, floorScale)
  const peer = asked.pgledger === undefined ? undefined : await openPeer(server, asked.pgledger)
  const bench = { server, captured, pgbench, peer, asked, used: 1 }
  const before = load()
  const rounds: Round[] = []
  for (let round = 1; round <= asked.rounds; round += 1) {
    rounds.push(await measureRound(bench))
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
  await server.stop()
  return 0
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
  const hot = await settle(bench, settleScript(captured), { ofMany: false, many: 1 })
  const random = await settle(bench, settleScript(captured), { ofMany: true, many: 1 })
  const batched = await settle(bench, settleManyScript(captured, asked.batch), {
    ofMany: false,
    many: asked.batch,
  })
  const created = await run(bench, createScript(captured), take(bench, paceMax * seconds), 1)
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
    peerHot: await beside(peer?.hot),
    peerRandom: await beside(peer?.random),
  }
}

/** Settlements a second. */
async function settle(
  bench: Bench,
  script: string,
  { ofMany, many }: { readonly ofMany: boolean; readonly many: number },
): Promise<number> {
  const { seconds } = bench.asked
  const pace = many === 1 ? paceMax : batchPaceMax
  const range = take(bench, Math.ceil((pace * seconds) / many) * many)
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
  return run(bench, script, range, many)
}

function take(bench: Bench, count: number): { from: number; to: number } {
  // Batches begin at whole multiples of their size.
  const { batch } = bench.asked
  const from = Math.ceil(bench.used / batch) * batch + 1
  bench.used = from + count
  return { from, to: from + count - 1 }
}

async function run(
  bench: Bench,
  script: string,
  range: { from: number; to: number },
  many: number,
) {
  const { clients, seconds } = bench.asked
  const each = Math.floor((range.to - range.from + 1) / many / clients)
  const first = (range.from - 1) / many
  const given = { i: 0, each, first: Math.floor(first) }
  const { pace } = await measure(bench.pgbench, {
    url: bench.server.ledger.url,
    script,
    clients,
    seconds,
    given,
  })
  return pace * many
}

function rowsOf(rounds: readonly Round[]): Row[] {
  const over = (of: (round: Round) => number, by: (round: Round) => number | undefined) =>
    rounds.flatMap((round) => {
      const base = by(round)
      return base === undefined ? [] : [of(round) / base]
    })
  const rows: Row[] = [
    {
      goal: 'L1',
      what: 'settle one by one, one hot merchant / TPC-B',
      atLeast: 2,
      ratios: over(
        (r) => r.hot,
        (r) => r.floor,
      ),
    },
    {
      goal: 'L2',
      what: 'settle, random merchants / pgledger, random accounts',
      atLeast: 3,
      ratios: over(
        (r) => r.random,
        (r) => r.peerRandom,
      ),
    },
    {
      goal: 'L2',
      what: 'settle, one hot merchant / pgledger, one hot account',
      atLeast: 8,
      ratios: over(
        (r) => r.hot,
        (r) => r.peerHot,
      ),
    },
    {
      goal: 'L3',
      what: 'settle in batches / TPC-B',
      atLeast: 5,
      ratios: over(
        (r) => r.batched,
        (r) => r.floor,
      ),
    },
    {
      goal: 'L4',
      what: 'create with its idempotency key / TPC-B',
      atLeast: 2.5,
      ratios: over(
        (r) => r.created,
        (r) => r.floor,
      ),
    },
  ]
  return rows.filter(({ ratios }) => ratios.length > 0)
}

function figures(round: Round | undefined): string {
  return Object.entries(round ?? {})
    .flatMap(([name, pace]) =>
      pace === undefined ? [] : [`${name} ${Math.round(Number(pace)).toLocaleString('en')}`],
    )
    .join(', ')
}
