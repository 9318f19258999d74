import { Fault } from '@malipo/kernel/errors'

/**
 * Runs a limited number of tasks at once, in order, and queues a limited number. Fault: unavailable, when the queue
 * is full.
 */
export type TakeTurn = <Result>(work: () => Promise<Result>) => Promise<Result>

export function openTurns(limits: {
  readonly runningMax: number
  readonly waitingMax: number
}): TakeTurn {
  let running = 0
  const waiting: (() => void)[] = []

  const begin = async () => {
    if (running < limits.runningMax) {
      running += 1
      return
    }
    if (waiting.length >= limits.waitingMax)
      throw new Fault('unavailable', { waiting: waiting.length })
    // A finished task gives its place to this one, so the number of running tasks stays the same.
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const end = () => {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
  return async (work) => {
    await begin()
    return work().finally(end)
  }
}
