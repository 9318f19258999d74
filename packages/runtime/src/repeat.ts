import type { Log } from './log'

export interface RepeatOptions {
  /** Completes the log line `could not …`, such as `forget what has expired`. */
  readonly what: string
  readonly everyMs: number
  readonly log: Log
}

/**
 * Repeats a job: one round at a time, however long it takes; a failed round does not stop it. Stopping waits for the
 * running round.
 */
export function repeat(
  { what, everyMs, log }: RepeatOptions,
  work: () => Promise<unknown>,
): { stop: () => Promise<void> } {
  let round: Promise<void> | undefined
  const begin = async () => {
    // No caller awaits a round, so its errors end in the log.
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
