import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { eventually } from '@malipo/testing/eventually'
import { faultEnvironment } from '@malipo/testing/faults/preload'
import { openSmallDisk, type SmallDisk } from '@malipo/testing/faults/small-disk'
import { openSimulatorControl, type SimulatorControl } from '@malipo/testing/simulator-control'
import { Pool } from 'pg'
import { receiptOf } from '../books'
import { type RunningStack, startStack } from '../running-stack'
import { seedMerchants } from '../seeded-merchants'
import { Buyers } from './buyers'
import { checkHistory, type Finding } from './check-history'
import { HistoryBook } from './history-book'
import { type Injector, openInjector } from './inject'
import { ordersMax } from './phones'
import type { Plant } from './plants'
import { type ScheduleOptions, type Fault, scheduleFaults } from './schedule'
import { openWitness, readReceipts, readTruth, type Witness } from './witness'

export interface ChaosOptions extends ScheduleOptions {
  /** Orders that begin in a second. */
  readonly rate: number
  /** A bug in the services, which the run must find. */
  readonly plant: Plant | undefined
  readonly onProgress: (line: string) => void
}

export interface ChaosReport {
  readonly seed: number
  readonly orders: number
  readonly paid: number
  readonly paidByCard: number
  readonly kills: number
  /** Faults that hit something, by kind; those that hit nothing are counted as `missed`. */
  readonly faults: Readonly<Record<string, number>>
  /** The orders a second and the kills a minute that the run reached. */
  readonly rateHeld: number
  readonly killsPerMinute: number
  /** From the movement of money to its posting. */
  readonly settleMs: { readonly p50: number; readonly p99: number; readonly max: number }
  readonly findings: readonly Finding[]
}

/** Short intervals, so that queries find the end of payments whose callback or job was lost during the run. */
const hurried = {
  QUERY_AFTER_SECONDS: '2',
  QUERY_EVERY_SECONDS: '1',
  INTENT_DEADLINE_SECONDS: '12',
  PAY_BILL_SECONDS: '2',
  CARD_SESSION_SECONDS: '15',
  CARD_QUERY_AFTER_SECONDS: '4',
}
/**
 * How many orders a merchant gets in a minute. Its account may send 120 requests a minute, and an order takes some
 * three of them when nothing fails.
 */
const ordersOfMerchantPerMinute = 25
/** Three of the five rails are in Kenya. */
const ordersInKenya = 0.6
const calmWithinMs = 200_000
const progressEveryMs = 5_000

/** Takes orders by every rail under faults, ends the faults, waits until the stack is calm, and checks all answers. */
export async function playChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { onProgress } = options
  const dir = mkdtempSync(join(tmpdir(), 'malipo-chaos-'))
  if (options.plant !== undefined)
    writeFileSync(join(dir, 'plant.json'), JSON.stringify(options.plant))
  onProgress(
    `Seed ${String(options.seed)}: starting a stack with two of each gateway, ledger and worker`,
  )
  const environment = { ...hurried, ...faultEnvironment(dir) }
  const disk = options.kinds.includes('disk') ? openSmallDisk() : undefined
  if (options.kinds.includes('disk') && disk === undefined)
    onProgress('No disk is filled: this user may not mount a small one')
  const stack = await startStack(environment, ['--replicas', '2'], disk?.dir)
  try {
    const run = await open({ stack, dir, disk }, options)
    const { beganMs, done } = await playFaults(run, options)
    onProgress('Healing, and waiting until all is calm')
    await run.injector.stop()
    const note = (error: unknown) => {
      run.book.unexpected(String(error))
    }
    await stack.untilWhole(calmWithinMs).catch(note)
    await Promise.all(run.orders)
    await untilCalm(stack, run).catch(note)
    await run.buyers.readAll()
    await run.witness.poll()
    const truth = await readTruth(stack, run.simulator, run.witness)
    const findings = checkHistory(run.book.history(), truth)
    if (findings.length > 0) keepLogs(stack, onProgress)
    const minutes = (done.endedMs - beganMs) / 60_000
    return {
      seed: options.seed,
      orders: run.orders.length,
      paid: truth.moved.length,
      paidByCard: truth.moved.filter(({ cardAttempt }) => cardAttempt !== null).length,
      kills: done.faults['kill'] ?? 0,
      faults: done.faults,
      rateHeld: tenths(run.orders.length / (minutes * 60)),
      killsPerMinute: tenths((done.faults['kill'] ?? 0) / minutes),
      settleMs: await timeToSettle(stack, run.witness),
      findings,
    }
  } finally {
    await stack.stop()
    disk?.remove()
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Copies the logs, because the stack's folder is deleted with the stack, and the logs tell what went wrong. */
function keepLogs({ dir }: RunningStack, onProgress: ChaosOptions['onProgress']): void {
  const kept = mkdtempSync(join(tmpdir(), 'malipo-chaos-logs-'))
  cpSync(join(dir, 'logs'), kept, { recursive: true })
  onProgress(`The logs are kept in ${kept}`)
}

interface Run {
  readonly simulator: SimulatorControl
  readonly book: HistoryBook
  readonly buyers: Buyers
  readonly witness: Witness
  readonly injector: Injector
  readonly orders: Promise<void>[]
}

async function open(
  { stack, dir, disk }: { stack: RunningStack; dir: string; disk: SmallDisk | undefined },
  { rate, seed, onProgress }: ChaosOptions,
): Promise<Run> {
  const simulator = openSimulatorControl(stack.file.simulator.url)
  const book = new HistoryBook()
  const count = Math.ceil((rate * 60 * ordersInKenya) / ordersOfMerchantPerMinute)
  onProgress(`Making ${String(2 * count)} merchants`)
  const merchants = {
    ke: await seedMerchants(stack, 'ke', count),
    ug: await seedMerchants(stack, 'ug', count),
  }
  const buyers = await Buyers.open({ stack: stack.file, simulator, merchants, book, seed })
  const witness = openWitness(simulator)
  const injector = await openInjector({ stack, simulator, dir, disk })
  return { simulator, book, buyers, witness, injector, orders: [] }
}

async function playFaults(run: Run, options: ChaosOptions) {
  const beganMs = performance.now()
  const faults = scheduleFaults(options)
  const stopping = new AbortController()
  const counts: Record<string, number> = {}
  const held: Promise<void>[] = []
  const begin = async (fault: Fault) => {
    const hasMet = await run.injector.inject(fault).catch(() => false)
    const name = hasMet ? fault.kind : 'missed'
    counts[name] = (counts[name] ?? 0) + 1
  }
  const ordering = beginOrders(run, options.rate, stopping.signal)
  const watching = watch(run, counts, { onProgress: options.onProgress, signal: stopping.signal })
  for (const fault of faults) {
    await wait(Math.max(0, beganMs + fault.atMs - performance.now()))
    held.push(begin(fault))
  }
  await wait(Math.max(0, beganMs + options.lengthMs - performance.now()))
  await Promise.all(held)
  stopping.abort()
  await Promise.all([ordering, watching])
  return { beganMs, done: { faults: counts, endedMs: performance.now() } }
}

async function beginOrders({ orders, buyers }: Run, rate: number, signal: AbortSignal) {
  const beganMs = performance.now()
  while (!signal.aborted && orders.length < ordersMax) {
    orders.push(buyers.buy())
    await wait(Math.max(0, beganMs + (orders.length * 1_000) / rate - performance.now()))
  }
}

async function watch(
  { witness, book }: Run,
  counts: Readonly<Record<string, number>>,
  { onProgress, signal }: { onProgress: (line: string) => void; signal: AbortSignal },
) {
  while (!signal.aborted) {
    await wait(progressEveryMs)
    await witness.poll().catch((error: unknown) => {
      book.unexpected(`the simulator: ${String(error)}`)
    })
    onProgress(`${JSON.stringify(book.counts())} ${JSON.stringify(counts)}`)
  }
}

/** Longer than a late payer takes to approve a prompt whose payment attempt has expired. */
const lateMs = 22_000

/** Waits until no phone may still pay, no attempt is in flight, and each receipt of the provider's book is posted. */
async function untilCalm(stack: RunningStack, { simulator, witness }: Run): Promise<void> {
  const urls = [stack.file.databases.ledger_ke, stack.file.databases.ledger_ug]
  const pools = urls.map((connectionString) => new Pool({ connectionString, max: 1 }))
  const isCalm = async () => {
    const counts = await Promise.all(
      pools.map((pool) =>
        pool.query<{ open: number }>(
          'SELECT count(*)::int AS open FROM intents WHERE ended_at IS NULL',
        ),
      ),
    )
    const posted = new Set((await readReceipts(stack)).map(({ event_key: key }) => receiptOf(key)))
    const book = await simulator.book()
    await witness.poll()
    const mayBePaid = witness
      .prompts()
      .some(
        ({ openedAtMs, closedAtMs }) => closedAtMs === Infinity && Date.now() - openedAtMs < lateMs,
      )
    return (
      !mayBePaid &&
      counts.every(({ rows }) => rows[0]?.open === 0) &&
      book.every(({ receipt }) => posted.has(receipt))
    )
  }
  try {
    await eventually('all is calm', isCalm, calmWithinMs, 1_000)
  } finally {
    await Promise.all(pools.map((pool) => pool.end()))
  }
}

async function timeToSettle(
  stack: RunningStack,
  witness: Witness,
): Promise<ChaosReport['settleMs']> {
  const movedAt = witness.movedAt()
  const times = (await readReceipts(stack))
    .flatMap(({ event_key: key, created_at: at }) => {
      const moved = movedAt.get(receiptOf(key))
      return moved === undefined ? [] : [Math.max(0, at.getTime() - moved)]
    })
    .sort((one, other) => one - other)
  const at = (part: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0
  return { p50: at(0.5), p99: at(0.99), max: times.at(-1) ?? 0 }
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10
}
