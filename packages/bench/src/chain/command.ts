import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createDatabase } from '@malipo/stack/postgres'
import { processesOf } from '@malipo/stack/start.harness'
import { type CommandOptions, readCommand } from '@malipo/testing/command'
import { fillFloor, findPgbench } from '../pgbench'
import { load, table } from '../table'
import { openFloor } from './floor'
import { measureHalfPace } from './half-pace'
import { sumOf } from './measure'
import { makeMerchants } from './merchants'
import { type Started, withStack } from './own-stack'
import { openPayers } from './payers'
import { msBetween, readMemoryMb, readProcessorMs } from './processor-time'
import { type Result, rowsOf, tableOfUnits } from './report'
import { measureRounds } from './rounds'

const help = `Usage: npm run bench -- services [OPTIONS]

Starts a stack by the code of npm start, with separate merchants and payers, and measures what a merchant's read, a
create and a whole payment take of the processors in each process, beside bare express and TPC-B in the same run, at 1, 16
and 64 in flight (goals S1 to S6). The load comes from this process and is not counted.

  --rounds N        3 unless given
  --units N         reads and creates of each measurement, 1000 unless given; payments a fifth of it
  --merchants N     128 unless given: each is asked for 100 requests a minute
  --seconds N       at half of the pace of payments, 20 unless given
  --profiles DIR    keeps a .cpuprofile of each process there, which Chrome's developer tools show as a flame graph
  --pgbench PATH    unless it is on the path
  --json PATH       writes the figures there too, for \`bench -- compare\`
  --help            this text
`

const numbers = { rounds: 3, units: 1_000, merchants: 128, seconds: 20 }
const texts = ['profiles', 'pgbench', 'json'] as const

type ServicesOptions = CommandOptions<keyof typeof numbers, (typeof texts)[number]>

const restSeconds = 10
const tpcBScale = 32

export async function benchServices(args: readonly string[]): Promise<number> {
  const options = readCommand(args, { help, numbers, texts })
  if (options === undefined) return 0
  const pgbench = findPgbench(options.pgbench)
  if (pgbench === undefined) return 2
  const before = load()
  const dir = mkdtempSync(join(tmpdir(), 'malipo-bench-'))
  process.stderr.write('starting a stack, twice\n')
  await withStack(dir, {}, () => Promise.resolve())
  const result = await withStack(
    dir,
    { profileDir: options.profiles && resolve(options.profiles) },
    (started) => bench(options, { ...started, dir, pgbench }),
  ).finally(() => {
    rmSync(dir, { recursive: true, force: true })
  })
  const loads = { before, after: load() }
  const rows = rowsOf(result)
  process.stdout.write(`${tableOfUnits(result)}\n\n${table(rows)}\n
load average before ${loads.before}, after ${loads.after}\n`)
  if (options.json !== undefined) {
    writeFileSync(options.json, `${JSON.stringify({ options, loads, ...result, rows }, null, 2)}\n`)
  }
  return 0
}

async function bench(
  options: ServicesOptions,
  { file, startSeconds, dir, pgbench }: Started & { dir: string; pgbench: string },
): Promise<Result> {
  const processes = processesOf(dir)
  const resting = readProcessorMs(processes)
  await wait(restSeconds * 1_000)
  const rested = Object.entries(msBetween(resting, readProcessorMs(processes)))
  const restMs = Object.fromEntries(rested.map(([name, ms]) => [name, ms / restSeconds] as const))
  const restMb = sumOf(readMemoryMb(processes))
  const port = Number(new URL(file.hosts.ke.base_url).port)
  const nextPayer = await openPayers(file.simulator.url)
  const merchants = await makeMerchants({ file, dir, port, count: options.merchants, nextPayer })
  await createDatabase(file.databases.ledger_ke, 'floor')
  const tpcBUrl = Object.assign(new URL(file.databases.ledger_ke), { pathname: '/floor' }).href
  await fillFloor(pgbench, tpcBUrl, tpcBScale)
  const floor = await openFloor()
  const given = { port, merchants, nextPayer, pgbench, tpcBUrl, floor, processes }
  const { rounds: count, units, seconds } = options
  const rounds = await measureRounds({ ...given, rounds: count, units })
  await floor.stop()
  const paces = rounds.flatMap(({ levels }) => levels.map(({ payment }) => payment.pace))
  const paymentsPerSecond = Math.max(...paces) / 2
  const simulatorUrl = file.simulator.url
  const halfPace = await measureHalfPace({ ...given, simulatorUrl, paymentsPerSecond, seconds })
  return { rounds, halfPace, restMb, restMs, secondStartSeconds: startSeconds }
}
