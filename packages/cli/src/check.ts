import { MalipoConnectionError } from '@malipo/sdk'
import { type Reason, whyUnanswered } from './why-unanswered'

/** One thing that `malipo doctor` looked at. */
export interface Check {
  readonly name: string
  readonly outcome: 'right' | 'wrong' | 'skipped'
  readonly detail: string
  /** What to do about a wrong finding. */
  readonly advice?: string
}

export const right = (name: string, detail: string): Check => ({ name, outcome: 'right', detail })
export const skipped = (name: string, detail: string): Check => {
  return { name, outcome: 'skipped', detail }
}
export const wrong = (name: string, detail: string, advice?: string): Check => {
  return { name, outcome: 'wrong', detail, ...(advice !== undefined && { advice }) }
}

/** Returns the value of the promise, or why it was rejected. Throws only the reason of the caller's aborted signal. */
export async function orReason<Value>(
  answer: Promise<Value>,
  signal: AbortSignal,
): Promise<{ readonly value: Value } | { readonly reason: Reason }> {
  try {
    return { value: await answer }
  } catch (error) {
    signal.throwIfAborted()
    // A connection error without a cause is about an answer that came, and its message says what is wrong with it.
    if (error instanceof MalipoConnectionError && error.cause === undefined) {
      return { reason: { what: error.message, advice: 'Try again in a minute.' } }
    }
    return { reason: whyUnanswered(error) }
  }
}
