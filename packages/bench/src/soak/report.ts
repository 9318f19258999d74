import { sumOf } from '../chain/measure'
import type { ProcessorMs } from '../chain/processor-time'
import { align, type Row } from '../table'
import type { FloorFigures } from './beside-floor'

/** The figures of a window, which is a number of consecutive payments. */
export interface Window {
  readonly payments: number
  readonly pace: number
  readonly createP99Ms: number
  readonly paymentP50Ms: number
  readonly paymentP99Ms: number
  /** Processor time of one payment, by process. */
  readonly processorMs: ProcessorMs
  /** Memory at the end of the window, by process. */
  readonly memoryMb: Readonly<Record<string, number>>
  readonly floor: FloorFigures
}

export function tableOfWindows(windows: readonly Window[]): string {
  let payments = 0
  const lines = windows.map((window) => {
    payments += window.payments
    const { pace, createP99Ms, paymentP50Ms, paymentP99Ms, processorMs, memoryMb, floor } = window
    const ofPayments = [pace, createP99Ms, paymentP50Ms, paymentP99Ms, sumOf(processorMs)]
    const tenths = [...ofPayments, floor.p50Ms, floor.p99Ms].map((each) => each.toFixed(1))
    const memory = sumOf(memoryMb).toFixed(0)
    return [String(payments), ...tenths, floor.processorMs.toFixed(3), memory]
  })
  const head = ['payments', 'a second', 'create p99 ms', 'payment p50 ms', 'p99 ms', 'processor ms']
  const ofFloor = ['bare GET p50 ms', 'p99 ms', 'processor ms']
  return align([[...head, ...ofFloor, 'memory MB'], ...lines])
}

/** What each process took of the processors for one payment: the median window of each quarter. */
export function tableOfProcesses(windows: readonly Window[]): string {
  const quarters = [0, 1, 2, 3].map((quarter) => quarterOf(windows, quarter))
  const names = Object.keys(windows[0]?.processorMs ?? {})
  const lines = names.map((name) => {
    const medians = quarters.map((each) =>
      medianOf(each.map(({ processorMs }) => processorMs[name] ?? 0)),
    )
    return [name, ...medians.map((ms) => ms.toFixed(2))]
  })
  return align([['processor ms', 'first quarter', 'second', 'third', 'last'], ...lines])
}

/**
 * Returns the windows of a quarter. All quarters have the same length, except that the third also has the windows that
 * are left over.
 */
function quarterOf(windows: readonly Window[], quarter: number): readonly Window[] {
  const size = Math.max(1, Math.floor(windows.length / 4))
  if (quarter === 3) return windows.slice(-size)
  return windows.slice(quarter * size, quarter === 2 ? -size : (quarter + 1) * size)
}

/**
 * Divides each median of the second quarter by that of the last; below 0.9 the figure grew. The first quarter is left
 * out because processes warm up in it.
 */
export function growthOf(windows: readonly Window[]): Row[] {
  const [second, last] = [quarterOf(windows, 1), quarterOf(windows, 3)]
  const row = (what: string, of: (window: Window) => number): Row => ({
    goal: 'soak',
    what: `second quarter / last: ${what}`,
    atLeast: 0.9,
    ratios: [medianOf(second.map(of)) / medianOf(last.map(of))],
  })
  const processes = Object.keys(windows[0]?.memoryMb ?? {})
  return [
    row('memory of all processes', ({ memoryMb }) => sumOf(memoryMb)),
    ...processes.map((name) => row(`memory of ${name}`, ({ memoryMb }) => memoryMb[name] ?? 0)),
    row('payment p50', ({ paymentP50Ms }) => paymentP50Ms),
    row('payment p99', ({ paymentP99Ms }) => paymentP99Ms),
    row('create p99', ({ createP99Ms }) => createP99Ms),
    row('processor time of a payment', ({ processorMs }) => sumOf(processorMs)),
    row(
      'processor time of a payment, in bare GETs',
      ({ processorMs, floor }) => sumOf(processorMs) / floor.processorMs,
    ),
  ]
}

function medianOf(figures: readonly number[]): number {
  const sorted = [...figures].sort((one, other) => one - other)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
}
