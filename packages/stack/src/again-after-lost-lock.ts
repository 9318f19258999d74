import { setTimeout } from 'node:timers/promises'
import { DatabaseError } from 'pg'

/**
 * The lock timeout of the migrate step. Writes of services queue behind a statement that waits for a table, and fail
 * after a second.
 */
export const lockTimeoutMs = 400

const pauseMs = 250

/**
 * Repeats a transaction of the migrate step that did not get its locks. Payments lock the same tables at the same time
 * in another order, so PostgreSQL may end it for a deadlock; or it has waited `lockTimeoutMs` for a table, and services
 * that wait behind it must not wait longer. Throws any other error of `work` at once, and a lost lock after `forMs`.
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

/** The SQLSTATEs of a deadlock and of a lock timeout. */
const lostLocks: readonly unknown[] = ['40P01', '55P03']

function isLostLock(error: unknown): boolean {
  const told = error instanceof Error && error.cause !== undefined ? error.cause : error
  return told instanceof DatabaseError && lostLocks.includes(told.code)
}
