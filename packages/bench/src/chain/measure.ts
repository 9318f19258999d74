import { Connection } from '../connection'
import { percentile } from '../overload/answers'
import { msBetween, type ProcessorMs, readProcessorMs } from './processor-time'

/** How many units (requests or whole payments of one kind) to run, and how many of them at the same time. */
export interface Work {
  readonly port: number
  readonly units: number
  readonly inFlight: number
  readonly processes: Readonly<Record<string, { readonly pid: number }>>
  readonly run: (connection: Connection, unit: number) => Promise<unknown>
}

export interface Measured {
  /** Units a second. */
  readonly pace: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Milliseconds of a processor for one unit, by process. */
  readonly processorMs: ProcessorMs
}

/** Runs units by `inFlight` clients, each of which begins its next unit when its last one has ended. */
export async function measure({ port, units, inFlight, processes, run }: Work): Promise<Measured> {
  const connections = Array.from({ length: inFlight }, () => new Connection(port))
  for (const connection of connections) await connection.open()
  const tookMs: number[] = []
  let next = 0
  const before = readProcessorMs(processes)
  const beganAt = performance.now()
  await Promise.all(
    connections.map(async (connection) => {
      while (next < units) {
        const unitBeganAt = performance.now()
        await run(connection, next++)
        tookMs.push(performance.now() - unitBeganAt)
      }
    }),
  )
  const seconds = (performance.now() - beganAt) / 1_000
  const used = msBetween(before, readProcessorMs(processes))
  for (const connection of connections) connection.close()
  tookMs.sort((one, other) => one - other)
  return {
    pace: units / seconds,
    p50Ms: percentile(tookMs, 0.5),
    p99Ms: percentile(tookMs, 0.99),
    processorMs: Object.fromEntries(
      Object.entries(used).map(([name, ms]) => [name, ms / units] as const),
    ),
  }
}

/** Sums the figures of all processes. */
export function sumOf(figures: Readonly<Record<string, number>>): number {
  return Object.values(figures).reduce((sum, figure) => sum + figure, 0)
}
