import type { Log } from './log'

export interface RepeatOptions {
  /** For the log: `forget what has expired`. */
  readonly what: string
  readonly everyMs: number
  readonly log: Log
}

/**
 * Does a piece of work again and again: one round at a time, however long it takes, and on with the next after one that
 * failed. Stopping waits for the round that runs.
 */
export function repeat(
  { what, everyMs, log }: RepeatOptions,
  work: () => Promise<unknown>,
): { stop: () => Promise<void> } {
  let round: Promise<void> | undefined
  const begin = async () => {
    // An entry point: no caller awaits this, so a failure ends in the log.
    await work().catch((error: unknown) => {
      log.warn({ error }, `could not ${what}`)
    })
    round = undefined
  }
  const timer = setInterval(() => {
    round ??= begin()
  }, everyMs)
  return {
    async stop() {
      clearInterval(timer)
      await round
    },
  }
}
