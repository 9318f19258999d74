import { errors, Fault } from '@malipo/kernel/errors'

/** Together some eight seconds of waiting: a restart of the ledger fits, and a prompt's answer does not go stale. */
const waitsMs = [100, 300, 1_000, 2_000, 4_000]

/** Repeats a call that is safe to repeat while its refusals say that repeating can help; then gives up with the last. */
export async function retried<Answer>(
  wait: (milliseconds: number) => Promise<void>,
  attempt: () => Promise<Answer>,
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
