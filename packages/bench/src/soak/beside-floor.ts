import { setTimeout as wait } from 'node:timers/promises'
import type { Floor } from '../chain/floor'
import { sumOf } from '../chain/measure'
import { msBetween, readProcessorMs } from '../chain/processor-time'
import { askFloor } from '../chain/units'
import { Connection } from '../connection'
import { percentile } from '../overload/answers'

/** What a GET of bare express took while the work ran. */
export interface FloorFigures {
  readonly p50Ms: number
  readonly p99Ms: number
  /** Processor time of one GET. */
  readonly processorMs: number
}

const pauseMs = 100

/**
 * Does the work, and meanwhile sends bare express a GET ten times a second. A slower machine slows both down; a stack
 * whose work has become more expensive slows down alone.
 */
export async function besideFloor<Result>(
  floor: Floor,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly floor: FloorFigures }> {
  const processes = { express: { pid: floor.pid } }
  const used = readProcessorMs(processes)
  let isWorking = true
  const working = work().finally(() => {
    isWorking = false
  })
  const asking = askWhile(floor.port, () => isWorking)
  const [result, tookMs] = await Promise.all([working, asking])
  const processorMs = sumOf(msBetween(used, readProcessorMs(processes))) / tookMs.length
  tookMs.sort((one, other) => one - other)
  const [p50Ms, p99Ms] = [percentile(tookMs, 0.5), percentile(tookMs, 0.99)]
  return { result, floor: { p50Ms, p99Ms, processorMs } }
}

async function askWhile(port: number, isWorking: () => boolean): Promise<number[]> {
  const connection = new Connection(port)
  const tookMs: number[] = []
  while (isWorking()) {
    const beganAt = performance.now()
    await askFloor(connection, 'GET')
    tookMs.push(performance.now() - beganAt)
    await wait(pauseMs)
  }
  connection.close()
  return tookMs
}
