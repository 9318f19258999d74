import { setTimeout } from 'node:timers/promises'
import { DatabaseError } from 'pg'

/**
 * How long a statement of the migrate step waits for a table. Who writes that table waits behind it, and gives up after a second.
 */
export const lockTimeoutMs = 400

const pauseMs = 250

/**
 * Does a transaction of the migrate step again when it did not get its locks: payments that go on meanwhile take the same tables
 * in another order, and of two that wait for each other one is ended; or one of them holds a table for longer than
 * `lockTimeoutMs`, and those behind it must not wait. @throws what `work` throws otherwise, or throws after `forMs`.
 */
export async function againAfterLostLock<Result>(
  work: () => Promise<Result>,
  forMs = 120_000,
): Promise<Result> {
  const endsAt = performance.now() + forMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (performance.now() > endsAt || !isLostLock(error)) throw error
    }
    await setTimeout(pauseMs)
  }
}

/** Deadlock, lock timeout. */
const lostLocks: readonly unknown[] = ['40P01', '55P03']

function isLostLock(error: unknown): boolean {
  const told = error instanceof Error && error.cause !== undefined ? error.cause : error
  return told instanceof DatabaseError && lostLocks.includes(told.code)
}
