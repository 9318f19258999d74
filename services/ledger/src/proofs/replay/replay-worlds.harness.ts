import { openProgress, readCommand } from '@malipo/testing/command'
import startDatabases from '@malipo/testing/start-databases'
import stopDatabases from '@malipo/testing/stop-databases'
import { playAlone, playGroup, type PlayedWorld } from './group.harness'
import { type Mutant, mutants, withMutant } from './mutants.harness'
import { beginning, type Replay, withReplay } from './replay.harness'
import { refundStatementMutants } from './refunds/refund-mutants.harness'
import { compareRefunds, findRefundMutant } from './refunds/replay-refunds.harness'
import { differing, expectedRows, readRows } from './tables.harness'

const help = `Usage: npm run worlds [-- --seeds N --from S --group G]
       npm run worlds -- refunds [--seeds N --from S --group G]
       npm run worlds -- [refunds] mutants

Replays N seeded worlds of the simulation over gRPC against PostgreSQL, half of them in each country, and compares every answer
and every row of the database with what the simulated ledger holds. The clock of the database is the worlds' own. Worlds of a
group share a database and its clock, and are played at the same time. Prints what differs, by seed, and the measured rate.

  --seeds N   how many, 1000 unless given
  --from S    the first seed, 1 unless given
  --group G   how many share a clock, 500 unless given
  --help      this text
  refunds     worlds of refunds instead, all of them in Kenya
  mutants     plants each of the known bugs in a statement that saves, plays the world that it names, and says what differs
`

/** A world whose answers or rows are different in the database. */
export interface Difference {
  readonly seed: number
  readonly lines: readonly string[]
  readonly story: readonly string[]
}

/** Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const options = readCommand(args, { help, numbers: { seeds: 1_000, from: 1, group: 500 } })
  if (options === undefined) return 0
  await startDatabases()
  const isOfRefunds = options.positionals.includes('refunds')
  if (options.positionals.includes('mutants')) {
    return isOfRefunds
      ? tryMutants(refundStatementMutants, findRefundMutant)
      : tryMutants(mutants, findMutant)
  }
  const compare = isOfRefunds ? compareRefunds : comparePayments
  const { seeds, from, group } = options
  const progress = openProgress('worlds', seeds)
  const began = performance.now()
  let calls = 0
  const found: Difference[] = []
  for (let done = 0; done < seeds; done += group) {
    const count = Math.min(group, seeds - done)
    const compared = await compare(from + done, count, done / group)
    found.push(...compared.differences)
    calls += compared.calls
    progress(done + count)
  }
  await stopDatabases()
  const seconds = (performance.now() - began) / 1_000
  for (const one of found.slice(0, 3)) process.stdout.write(`${describeDifference(one)}\n`)
  process.stdout.write(
    `${found.length === 0 ? '✓' : '✗'} ${seeds.toLocaleString('en')} worlds from seed ${String(from)}, ` +
      `${String(found.length)} differ; ${calls.toLocaleString('en')} calls in ${seconds.toFixed(1)} s, ` +
      `${(seeds / seconds).toFixed(0)} worlds and ${(calls / seconds).toFixed(0)} calls a second\n`,
  )
  return found.length === 0 ? 0 : 1
}

/** Compares a group of worlds, of the two countries in turn. */
async function comparePayments(from: number, count: number, turn: number) {
  const country = turn % 2 === 0 ? 'ke' : 'ug'
  return withReplay(country, async (replay) => {
    const differences = await compareGroup(replay, { country, from, count })
    return { differences, calls: replay.calls() }
  })
}

async function tryMutants(
  all: Readonly<Record<string, Mutant>>,
  find: (mutant: Mutant) => Promise<string | undefined>,
): Promise<number> {
  const missed: string[] = []
  for (const [name, mutant] of Object.entries(all)) {
    const found = await find(mutant)
    if (found === undefined) missed.push(name)
    const difference = found === undefined ? 'nothing differs' : found.slice(0, 100)
    const [country, seed] = mutant.world
    const mark = found === undefined ? '✗' : '✓'
    process.stdout.write(`${mark} ${name}: ${country} ${String(seed)}, ${difference}\n`)
  }
  await stopDatabases()
  return missed.length === 0 ? 0 : 1
}

/** Plays the world that a mutant names alone, so that its calls come in order. Returns its first difference, if any. */
export async function findMutant(mutant: Mutant): Promise<string | undefined> {
  const [country, seed] = mutant.world
  return withMutant(mutant, async () => {
    const [found] = await withReplay(country, (replay) =>
      compareWorlds(replay, [playAlone(country, seed)]),
    )
    return found?.lines[0]
  })
}

/** Plays a group in memory and in the database, and returns the worlds in which the two differ. */
export async function compareGroup(
  replay: Replay,
  group: { readonly country: 'ke' | 'ug'; readonly from: number; readonly count: number },
): Promise<readonly Difference[]> {
  return compareWorlds(replay, playGroup(group.country, group.from, group.count))
}

async function compareWorlds(
  replay: Replay,
  worlds: readonly PlayedWorld[],
): Promise<readonly Difference[]> {
  const players = await replay.play(worlds)
  const rows = await readRows(replay.database.pool, players, beginning)
  return players.flatMap((player) => {
    const { seed, story } = player.world
    const lines = [
      ...player.differences,
      ...differing(expectedRows(player), rows.get(player) ?? {}),
    ]
    return lines.length === 0 ? [] : [{ seed, lines, story }]
  })
}

export function describeDifference({ seed, lines, story }: Difference): string {
  return [
    `seed ${String(seed)} differs:`,
    ...lines.slice(0, 12).map((line) => `  ${line}`),
    ...story.map((line) => `    ${line}`),
  ].join('\n')
}
