import { setTimeout } from 'node:timers/promises'
import { errors, Fault } from '@malipo/kernel/errors'

/**
 * The waits between retries, some seven seconds in all: longer than a restart of the ledger, and short enough to record
 * the answer of a prompt in time.
 */
const waitsMs = [100, 300, 1_000, 2_000, 4_000]

/** Retries an idempotent call while its errors are retryable; then throws the last error. */
export async function retried<Answer>(
  attempt: () => Promise<Answer>,
  wait: (milliseconds: number) => Promise<void> = setTimeout,
): Promise<Answer> {
  for (const waitMs of waitsMs) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof Fault) || !errors[error.reason].retry) throw error
      await wait(waitMs)
    }
  }
  return attempt()
}
