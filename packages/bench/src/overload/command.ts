import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StackFile } from '@malipo/stack/stack-file'
import { startStack } from '@malipo/stack/start.harness'
import { type CommandOptions, openProgress, readCommand } from '@malipo/testing/command'
import { openSimulatorControl } from '@malipo/testing/simulator-control'
import { load, table } from '../table'
import { openPayers, type Payers } from './payers'
import { openReads, type Reads } from './reads'
import { type Round, rowsOf, tableOfTimes, type Time } from './report'
import { readUsage, usedBetween } from './usage'
import { addressOf, bodyOf, Connection, requestOf, statusOf } from '../connection'

const help = `Usage: npm run bench -- overload [OPTIONS]

Starts a stack by the code of npm start, looks for the most reads of checkouts that it answers well in a second, and then
offers it ten times as many, while payers pay, phones approve and the provider calls back (goal S7). The load comes from
this process and this machine: what it takes of the processors is measured and printed. A round is a time at the peak
and a time of overload, so that other load of the machine affects both.

  --rounds N        3 unless given
  --seconds N       of each time, 6 unless given
  --times N         as much as the peak, 10 unless given
  --connections N   of the overload at most, 1600 unless given; a listener takes 2,000
  --json PATH       writes the figures there too
  --help            this text
`

const numbers = { rounds: 3, seconds: 6, times: 10, connections: 1_600 }
const texts = ['json'] as const

type OverloadOptions = CommandOptions<keyof typeof numbers, (typeof texts)[number]>

const warmUp = { connections: 32, perSecond: Infinity, seconds: 5 }
/** The numbers of connections that the search for the peak tries. */
const steps = [8, 16, 32, 64, 96]
const stepSeconds = 2

interface Bench {
  readonly file: StackFile
  readonly reads: Reads
  readonly payers: Payers
  readonly options: OverloadOptions
}

export async function benchOverload(args: readonly string[]): Promise<number> {
  const options = readCommand(args, { help, numbers, texts })
  if (options === undefined) return 0
  const dir = mkdtempSync(join(tmpdir(), 'malipo-bench-'))
  process.stderr.write('starting a stack\n')
  // Empty, so that the stack starts servers of its own folder and fills no database that the shell names.
  const stack = startStack(dir, [], { DATABASE_URL: '', REDIS_URL: '' })
  const stop = () => stack.child.kill('SIGTERM')
  // A run that is broken off must not leave a stack behind.
  process.once('exit', stop)
  try {
    await bench(await stack.ready(), options)
  } finally {
    stop()
    await stack.ended()
    rmSync(dir, { recursive: true, force: true })
  }
  return 0
}

async function bench(file: StackFile, options: OverloadOptions): Promise<void> {
  const merchant = file.merchants.find(({ country }) => country === 'ke')
  if (merchant === undefined) throw new Error('the stack has no merchant of Kenya')
  const port = Number(new URL(file.hosts.ke.base_url).port)
  const at = { port, handle: merchant.handle, secretKey: merchant.secret_key }
  const simulator = openSimulatorControl(file.simulator.url)
  const reads = openReads(port, await createCheckouts(at))
  const payers = await openPayers({ ...at, simulator })
  const loads = { before: load() }
  const { connections, rounds } = await measure({ file, reads, payers, options })
  reads.close()
  const paid = await payers.stop()
  const result = { options, loads: { ...loads, after: load() }, connections, rounds, paid }
  const rows = rowsOf(rounds)
  const { begun, completed } = paid
  process.stdout.write(`${table(rows)}\n\n${tableOfTimes(rounds)}\n
peak found at ${String(connections)} connections; ${String(completed)} of ${String(begun)} payments completed
load average before ${result.loads.before}, after ${result.loads.after}\n`)
  if (options.json !== undefined) {
    writeFileSync(options.json, `${JSON.stringify({ ...result, rows }, null, 2)}\n`)
  }
}

async function measure({ file, reads, payers, options }: Bench) {
  const { seconds, times } = options
  const show = openProgress('times of load', steps.length + 1 + options.rounds * 2)
  let done = 0
  const run = async (connections: number, perSecond: number, length: number): Promise<Time> => {
    await payers.take()
    const before = await readUsage(file)
    const { sent, ...read } = await reads.run({ connections, perSecond, seconds: length })
    const used = usedBetween(before, await readUsage(file))
    show((done += 1))
    return {
      ...{ connections, seconds: length, sent, read, used },
      goodPerSecond: read.good / length,
      ...(await payers.take()),
    }
  }
  await run(warmUp.connections, warmUp.perSecond, warmUp.seconds)
  const ramp: Time[] = []
  for (const connections of steps) ramp.push(await run(connections, Infinity, stepSeconds))
  const best = ramp.reduce((one, other) => (other.goodPerSecond > one.goodPerSecond ? other : one))
  const { connections } = best
  const rounds: Round[] = []
  for (let round = 1; round <= options.rounds; round += 1) {
    const peak = await run(connections, Infinity, seconds)
    const offered = Math.round(peak.goodPerSecond * times)
    rounds.push({ peak, overload: await run(options.connections, offered, seconds) })
  }
  return { connections, rounds }
}

/** Few, because an account has 120 requests a minute, and the merchant also creates checkouts during the load. */
const checkouts = 20

/** Creates the checkouts that the load reads. */
async function createCheckouts(at: {
  readonly port: number
  readonly secretKey: string
}): Promise<readonly string[]> {
  const connection = new Connection(at.port)
  const request = requestOf({
    method: 'POST',
    path: '/v1/payments/merchant/checkouts',
    from: addressOf(0),
    headers: { Authorization: `Bearer ${at.secretKey}` },
    body: { amount: 50_000, description: 'Two crates of mangoes' },
  })
  const create = () =>
    new Promise<string>((resolve, reject) => {
      connection.ask(request, (answer) => {
        if (answer === undefined || statusOf(answer) !== 201) {
          reject(new Error(`no checkout was made: ${answer?.toString() ?? 'no answer'}`))
        } else {
          resolve((JSON.parse(bodyOf(answer)) as { data: { id: string } }).data.id)
        }
      })
    })
  const ids: string[] = []
  while (ids.length < checkouts) ids.push(await create())
  connection.close()
  return ids
}
