import { Fault } from '@malipo/kernel/errors'

/** Lets so many pieces of work run at once, in order, and so many wait. Fault: unavailable, when more would wait. */
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
    // A task that ends hands its place over, so the number of the running stays what it is.
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
