import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { repositoryDir } from '@malipo/stack/migrate'
import { processesOf } from '@malipo/stack/start.harness'
import { type CommandOptions, openProgress, readCommand } from '@malipo/testing/command'
import { openSimulatorControl } from '@malipo/testing/simulator-control'
import { type Floor, openFloor } from '../chain/floor'
import { makeMerchants } from '../chain/merchants'
import { type Started, withStack } from '../chain/own-stack'
import { msBetween, type ProcessorMs, readMemoryMb, readProcessorMs } from '../chain/processor-time'
import { type Paid, pay, requestsOfPayment } from '../chain/units'
import { Connection } from '../connection'
import { percentile } from '../overload/answers'
import { load, table } from '../table'
import { besideFloor } from './beside-floor'
import { growthOf, tableOfProcesses, tableOfWindows, type Window } from './report'

const help = `Usage: npm run bench -- soak [OPTIONS]

Starts a stack by the code of npm start and makes whole payments at a steady pace for as long as it takes. Prints for each window of them
how long payments and creates took, what one took of the processors, and the memory of all processes, beside what a bare GET took in
the same window; then what each process took by quarter. Compares the last quarter with the second, also the memory of each process,
and audits the books. Ends with 1 when the audit finds something or a payment failed: the first of those are printed, and one in a
hundred ends the run.

  --payments N   200000 unless given
  --pace N       a second, 40 unless given; a machine that cannot hold it ends the run
  --windows N    20 unless given
  --help         this text
`

const numbers = { payments: 200_000, pace: 40, windows: 20 }
type SoakOptions = CommandOptions<keyof typeof numbers, never>

/**
 * Below the 120 requests a minute of an account, and the five prompts an hour of a phone, that the interface allows.
 */
const requestsOfMerchant = 100
const promptsOfPhone = 4
const firstPhone = 254_710_000_000
/** More payments than this under way mean that the machine does not keep up with the pace, and end the run. */
const underWayMax = 1_000

export async function benchSoak(args: readonly string[]): Promise<number> {
  const options = readCommand(args, { help, numbers })
  if (options === undefined) return 0
  const before = load()
  const dir = mkdtempSync(join(tmpdir(), 'malipo-soak-'))
  process.stderr.write('starting a stack\n')
  const floor = await openFloor()
  try {
    const { windows, audit, failures } = await withStack(dir, {}, (started) =>
      soak({ ...started, dir, floor }, options),
    )
    const books = audit.status === 0 ? 'the audit is clean' : `${audit.stdout}${audit.stderr}`
    process.stdout
      .write(`${tableOfWindows(windows)}\n\n${tableOfProcesses(windows)}\n\n${table(growthOf(windows))}\n
failed: ${String(failures.length)} ${firstOf(failures)}\n${books}\nload average before ${before}, after ${load()}\n`)
    return audit.status === 0 && failures.length === 0 ? 0 : 1
  } finally {
    await floor.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

interface Given extends Started {
  readonly dir: string
  readonly floor: Floor
}

async function soak({ file, dir, floor }: Given, options: SoakOptions) {
  const processes = processesOf(dir)
  const port = Number(new URL(file.hosts.ke.base_url).port)
  const payerOf = await openReturningPayers(file.simulator.url, options)
  const count = Math.ceil((options.pace * requestsOfPayment * 61) / requestsOfMerchant)
  let made = 0
  const nextPayer = () => payerOf(made++)
  const merchants = await makeMerchants({ file, dir, port, count, nextPayer })
  const windows: Window[] = []
  const failures: unknown[] = []
  await merchants.withBudget(count * requestsOfMerchant, async (accountOf) => {
    const payOnce = async (payment: number) => {
      const { secretKey } = accountOf((payment % count) * requestsOfMerchant)
      const connection = new Connection(port)
      const beganAt = performance.now()
      const paid = await pay(connection, { secretKey, ...payerOf(count + payment) })
      connection.close()
      return { ...paid, tookMs: performance.now() - beganAt }
    }
    const show = openProgress('payments', options.payments)
    show(0)
    const size = Math.ceil(options.payments / options.windows)
    for (let first = 0; first < options.payments; first += size) {
      const used = readProcessorMs(processes)
      const beganAt = performance.now()
      const units = Math.min(size, options.payments - first)
      const paying = () => payByTheClock(units, options, (unit) => payOnce(first + unit), failures)
      const { result: paid, floor: floorFigures } = await besideFloor(floor, paying)
      const seconds = (performance.now() - beganAt) / 1_000
      const usedMs = msBetween(used, readProcessorMs(processes))
      const memoryMb = readMemoryMb(processes)
      windows.push({ ...windowOf(paid, seconds, usedMs), memoryMb, floor: floorFigures })
      process.stderr.write(`${JSON.stringify(windows.at(-1))}\n`)
      show(first + units)
    }
  })
  const script = join(repositoryDir, 'packages/stack/bin/operate.mjs')
  const audit = spawnSync(process.execPath, [script, 'audit', '--dir', dir], { encoding: 'utf8' })
  return { windows, audit, failures }
}

type Timed = Paid & { readonly tookMs: number }

function windowOf(
  paid: readonly Timed[],
  seconds: number,
  usedMs: ProcessorMs,
): Omit<Window, 'memoryMb' | 'floor'> {
  const sorted = (of: (it: Timed) => number) => paid.map(of).sort((one, other) => one - other)
  const took = sorted(({ tookMs }) => tookMs)
  const creates = sorted(({ createdAfterMs }) => createdAfterMs)
  return {
    payments: paid.length,
    pace: paid.length / seconds,
    createP99Ms: percentile(creates, 0.99),
    paymentP50Ms: percentile(took, 0.5),
    paymentP99Ms: percentile(took, 0.99),
    processorMs: Object.fromEntries(
      Object.entries(usedMs).map(([name, ms]) => [name, ms / paid.length] as const),
    ),
  }
}

/** Begins payments by the clock, whether or not earlier ones ended. Rejects when too many are open or have failed. */
async function payByTheClock(
  units: number,
  { pace, payments }: SoakOptions,
  payOnce: (unit: number) => Promise<Timed>,
  failures: unknown[],
): Promise<readonly Timed[]> {
  const beganAt = performance.now()
  const underWay = new Set<Promise<void>>()
  const paid: Timed[] = []
  for (let unit = 0; unit < units; unit += 1) {
    await wait(Math.max(0, beganAt + (unit * 1_000) / pace - performance.now()))
    if (underWay.size >= underWayMax)
      throw new Error(`${String(pace)} a second is not held: ask for a lower --pace`)
    if (failures.length * 100 > payments) throw new Error(`too many failed: ${firstOf(failures)}`)
    const paying = payOnce(unit)
      .then(
        (one) => void paid.push(one),
        (error: unknown) => void failures.push(error),
      )
      .finally(() => underWay.delete(paying))
    underWay.add(paying)
  }
  await Promise.all(underWay)
  return paid
}

const firstOf = (failures: readonly unknown[]) => failures.slice(0, 3).map(String).join('\n')

/** Payers who approve at once. Each pays again, from the same address, once all the others have paid. */
async function openReturningPayers(simulatorUrl: string, { pace }: SoakOptions) {
  const simulator = openSimulatorControl(simulatorUrl)
  const count = Math.ceil((pace * 3_600) / promptsOfPhone)
  const policy = { answer: 'approve', after_ms: 0 } as const
  await simulator.addPhone({ msisdn: String(firstPhone), count, policy })
  return (payment: number) => {
    const payer = payment % count
    return { payer, phone: String(firstPhone + payer) }
  }
}
