import { saysWhenToRetry, statusOf } from '../connection'

/** How the requests of one kind were answered. */
export interface Answers {
  /** Answers with a status under 500: a success, or a refusal that the interface has. */
  readonly good: number
  /** 503 with Retry-After. */
  readonly shed: number
  /** No answer, a 503 that does not say when to try again, or another 5xx. */
  readonly failed: number
  /** The median time from a request to its good answer. */
  readonly p50Ms: number
  readonly p99Ms: number
}

export class AnswerCount {
  readonly #goodMs: number[] = []
  #shed = 0
  #failed = 0

  add(kind: Kind, tookMs: number): void {
    if (kind === 'good') this.#goodMs.push(tookMs)
    else if (kind === 'shed') this.#shed += 1
    else this.#failed += 1
  }

  /** Returns the answers since the last call, and starts again at zero. */
  take(): Answers {
    const sorted = this.#goodMs.splice(0).sort((one, other) => one - other)
    const [shed, failed] = [this.#shed, this.#failed]
    this.#shed = 0
    this.#failed = 0
    return {
      ...{ good: sorted.length, shed, failed },
      p50Ms: percentile(sorted, 0.5),
      p99Ms: percentile(sorted, 0.99),
    }
  }
}

export type Kind = 'good' | 'shed' | 'failed'

export function kindOf(answer: Buffer | undefined): Kind {
  if (answer === undefined) return 'failed'
  const status = statusOf(answer)
  if (status === 503) return saysWhenToRetry(answer) ? 'shed' : 'failed'
  return status >= 500 ? 'failed' : 'good'
}

/** The number that this share of the sorted numbers does not exceed; 0 when there are none. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}
