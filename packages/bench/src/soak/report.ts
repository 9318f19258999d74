import { sumOf } from '../chain/measure'
import { align, type Row } from '../table'

/** A stretch of payments. */
export interface Window {
  readonly payments: number
  /** A second. */
  readonly pace: number
  readonly createP99Ms: number
  readonly paymentP50Ms: number
  readonly paymentP99Ms: number
  /** Of all processes, for one payment. */
  readonly processorMs: number
  /** By process, at the end. */
  readonly memoryMb: Readonly<Record<string, number>>
}

export function tableOfWindows(windows: readonly Window[]): string {
  let payments = 0
  const lines = windows.map((window) => {
    payments += window.payments
    const { pace, createP99Ms, paymentP50Ms, paymentP99Ms, processorMs, memoryMb } = window
    const tenths = [pace, createP99Ms, paymentP50Ms, paymentP99Ms, processorMs]
    return [String(payments), ...tenths.map((each) => each.toFixed(1)), sumOf(memoryMb).toFixed(0)]
  })
  const head = ['payments', 'a second', 'create p99 ms', 'payment p50 ms', 'p99 ms']
  return align([[...head, 'processor ms', 'memory MB'], ...lines])
}

/**
 * Divides each median of the second quarter by that of the last; below 0.9 the figure grew. The first quarter is left
 * out because processes warm up in it.
 */
export function growthOf(windows: readonly Window[]): Row[] {
  const quarter = Math.max(1, Math.floor(windows.length / 4))
  const second = windows.slice(quarter, 2 * quarter)
  const last = windows.slice(-quarter)
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
    row('processor time of a payment', ({ processorMs }) => processorMs),
  ]
}

function medianOf(figures: readonly number[]): number {
  const sorted = [...figures].sort((one, other) => one - other)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
}
