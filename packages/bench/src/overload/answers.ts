import { saysWhenToRetry, statusOf } from '../connection'

/** How the requests of one kind were answered. */
export interface Answers {
  /** Answers with a status of 2xx. */
  readonly good: number
  /** 503 with Retry-After. */
  readonly shed: number
  /**
   * Answers with a status of 4xx. Every request of the bench is right and within its rate limit, so there should be
   * none.
   */
  readonly refused: number
  /** No answer, a 503 that does not say when to try again, or any other status. */
  readonly failed: number
  /** The median time from a request to its good answer. */
  readonly p50Ms: number
  readonly p99Ms: number
}

export type Kind = 'good' | 'shed' | 'refused' | 'failed'

export class AnswerCount {
  readonly #goodMs: number[] = []
  readonly #others = { shed: 0, refused: 0, failed: 0 }

  add(kind: Kind, tookMs: number): void {
    if (kind === 'good') this.#goodMs.push(tookMs)
    else this.#others[kind] += 1
  }

  /** Returns the answers since the last call, and starts again at zero. */
  take(): Answers {
    const sorted = this.#goodMs.splice(0).sort((one, other) => one - other)
    const others = { ...this.#others }
    Object.assign(this.#others, { shed: 0, refused: 0, failed: 0 })
    return {
      ...{ good: sorted.length, ...others },
      p50Ms: percentile(sorted, 0.5),
      p99Ms: percentile(sorted, 0.99),
    }
  }
}

export function kindOf(answer: Buffer | undefined): Kind {
  return answer === undefined ? 'failed' : kindOfStatus(statusOf(answer), saysWhenToRetry(answer))
}

export function kindOfStatus(status: number, isToRetry: boolean): Kind {
  if (status >= 200 && status < 300) return 'good'
  if (status >= 400 && status < 500) return 'refused'
  return status === 503 && isToRetry ? 'shed' : 'failed'
}

/** The number that this share of the sorted numbers does not exceed; 0 when there are none. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}
