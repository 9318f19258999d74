import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { processesOf } from '@malipo/stack/start.harness'
import { readCommand } from '@malipo/testing/command'
import { measure } from '../chain/measure'
import { type Account, makeMerchants } from '../chain/merchants'
import { type Started, withStack } from '../chain/own-stack'
import { openPayers, type Payer } from '../chain/payers'
import { msBetween, type ProcessorMs, readProcessorMs } from '../chain/processor-time'
import { create, pay, read, requestsOfPayment } from '../chain/units'
import type { Connection } from '../connection'
import { align, load } from '../table'
import { partsOf, type Profile } from './parts-of'

const help = `Usage: npm run bench -- parts [OPTIONS]

Starts a stack by the code of npm start with a profiler in each of its Node processes, has whole payments made, and prints what one
took of each process, in milliseconds of a processor, by the code that it was spent in. What the stack takes at rest is taken off.

  --unit UNIT       payment (unless given), create or read: of what the parts are told
  --units N         1000 unless given, behind 200 that are not counted
  --in-flight N     16 unless given
  --help            this text
`

const numbers = { units: 1_000, 'in-flight': 16 }
const warmUp = 200

interface Unit {
  /** The most requests that one unit sends with its merchant's key. */
  readonly requests: number
  readonly run: (
    connection: Connection,
    account: Account,
    nextPayer: () => Payer,
  ) => Promise<unknown>
}

const units: Readonly<Record<string, Unit>> = {
  payment: {
    requests: requestsOfPayment,
    run: (connection, { secretKey }, nextPayer) => pay(connection, { secretKey, ...nextPayer() }),
  },
  create: { requests: 1, run: (connection, { secretKey }) => create(connection, secretKey) },
  read: {
    requests: 1,
    run: (connection, { secretKey, paidId }) => read(connection, secretKey, paidId),
  },
}
const restSeconds = 15

interface Window {
  readonly fromUs: number
  readonly untilUs: number
  readonly spent: ProcessorMs
}

export async function benchParts(args: readonly string[]): Promise<number> {
  const options = readCommand(args, { help, numbers, texts: ['unit'] })
  if (options === undefined) return 0
  const unit = units[options.unit ?? 'payment']
  if (unit === undefined) throw new Error('--unit is payment, create or read')
  const dir = mkdtempSync(join(tmpdir(), 'malipo-parts-'))
  const profiles = join(dir, 'profiles')
  const before = load()
  process.stderr.write('starting a stack, twice\n')
  try {
    await withStack(join(dir, 'stack'), {}, () => Promise.resolve())
    const windows = await withStack(join(dir, 'stack'), { profileDir: profiles }, (started) =>
      workAndRest(started, join(dir, 'stack'), { ...options, unit }),
    )
    process.stdout.write(`${tableOf(profiles, windows, options.units)}\n
load average before ${before}, after ${load()}\n`)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
  return 0
}

interface Windows {
  readonly working: Window
  readonly resting: Window
}

async function workAndRest(
  { file }: Started,
  dir: string,
  options: Readonly<Record<keyof typeof numbers, number>> & { readonly unit: Unit },
): Promise<Windows> {
  const { unit, units: count, 'in-flight': inFlight } = options
  const processes = processesOf(dir)
  const port = Number(new URL(file.hosts.ke.base_url).port)
  const nextPayer = await openPayers(file.simulator.url)
  const requests = (count + warmUp) * unit.requests
  const merchantsCount = Math.ceil(requests / 100)
  const merchants = await makeMerchants({ file, dir, port, count: merchantsCount, nextPayer })
  const during = async (work: () => Promise<unknown>): Promise<Window> => {
    const [fromUs, before] = [nowUs(), readProcessorMs(processes)]
    await work()
    return { fromUs, spent: msBetween(before, readProcessorMs(processes)), untilUs: nowUs() }
  }
  const working = await merchants.withBudget(requests, async (accountOf) => {
    const work = (many: number, first: number) =>
      measure({
        ...{ port, processes: {}, inFlight, units: many },
        run: (connection, at) =>
          unit.run(connection, accountOf((first + at) * unit.requests), nextPayer),
      })
    await work(warmUp, 0)
    return during(() => work(count, warmUp))
  })
  return { working, resting: await during(() => wait(restSeconds * 1_000)) }
}

/** The clock of V8's profiles, which all processes share. */
const nowUs = () => Number(process.hrtime.bigint() / 1_000n)

/** A part that took fewer milliseconds in all processes together is not shown. */
const shownMin = 0.02

function tableOf(profiles: string, { working, resting }: Windows, count: number): string {
  const seconds = ({ fromUs, untilUs }: Window) => (untilUs - fromUs) / 1_000_000
  const share = seconds(working) / seconds(resting)
  const columns = Object.keys(working.spent).map((name) => {
    const whole = ((working.spent[name] ?? 0) - (resting.spent[name] ?? 0) * share) / count
    return { name, whole, parts: partsOfUnit(join(profiles, `${name}.cpuprofile`), whole) }
  })
  const all = [...new Set(columns.flatMap(({ parts }) => [...parts.keys()]))]
  const total = (part: string) => sum(columns.map(({ parts }) => parts.get(part) ?? 0))
  const shown = all.filter((part) => total(part) >= shownMin)
  const rows = shown
    .toSorted((one, other) => total(other) - total(one))
    .map(
      (part) => [part, total(part), ...columns.map(({ parts }) => parts.get(part) ?? 0)] as const,
    )
  const wholes = columns.map(({ whole }) => whole)
  return align([
    ['', 'all', ...columns.map(({ name }) => name)],
    ...rows.map(([part, ...ms]) => [part, ...ms.map((each) => each.toFixed(2))]),
    ['all', ...[sum(wholes), ...wholes].map((each) => each.toFixed(2))],
  ])

  /** Divides the processor time of a process by the shares in its profile; PostgreSQL and Redis have no profile. */
  function partsOfUnit(path: string, whole: number): Map<string, number> {
    const profile = readProfile(path)
    if (profile === undefined) return new Map([['no profile', whole]])
    const busy = partsOf(profile, working.fromUs, working.untilUs)
    const rest = partsOf(profile, resting.fromUs, resting.untilUs)
    const ofUnits = [...busy].map(
      ([part, ms]) => [part, Math.max(0, ms - (rest.get(part) ?? 0) * share)] as const,
    )
    const sampled = sum(ofUnits.map(([, ms]) => ms))
    // A process that did no more than at rest has no parts.
    if (sampled === 0) return new Map()
    return new Map(ofUnits.map(([part, ms]) => [part, (ms / sampled) * whole]))
  }
}

function readProfile(path: string): Profile | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Profile
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
