import type { Instant } from '../../evidence/rules/state'

/** The attempts of one rail whose prompt no worker has begun to send, as they are at one moment. */
export interface Sample {
  readonly at: Instant
  /** How many began to wait in each half second, by its beginning, the oldest first. */
  readonly waiting: readonly Slot[]
}

export interface Slot {
  readonly since: Instant
  readonly count: number
}

export const slotSeconds = 0.5

/** The queue of a rail, by the latest samples of it. */
export interface PromptQueue {
  /** The newest first. */
  readonly samples: readonly Sample[]
  /** How long a new prompt would wait for those before it; 0 where their pace cannot be seen. */
  readonly paceWaitSeconds: number
  /** How long a new prompt would wait, by all that is known. */
  readonly waitSeconds: number
}

/** Up to this many prompts may wait, or leave, for reasons other than the queue, so they are not counted. */
const oddMax = 2

/** How many samples are kept: those of five seconds, at two a second. */
const samplesMax = 10

/**
 * Estimates the wait of a new prompt after one more sample: the longer of the time that the oldest prompts have waited,
 * and the time in which all prompts before it leave at their pace. The pace shows a slow queue long before any prompt
 * in it is old. One sample may mislead, as when a worker is just back, so of the last two waits by pace the shorter
 * counts.
 */
export function nextPromptQueue(before: PromptQueue | undefined, sample: Sample): PromptQueue {
  const samples = before?.samples ?? []
  const paceWaitSeconds = paceWaitOf(sample, samples)
  const shorter = Math.min(before?.paceWaitSeconds ?? 0, paceWaitSeconds)
  return {
    samples: [sample, ...samples].slice(0, samplesMax),
    paceWaitSeconds,
    waitSeconds: Math.max(ageOf(sample), shorter),
  }
}

/** How long the oldest prompt has waited, the first `oddMax` not counted. */
function ageOf({ at, waiting }: Sample): number {
  let count = 0
  const slot = waiting.find((one) => (count += one.count) > oddMax)
  return slot === undefined ? 0 : secondsBetween(slot.since, at)
}

/**
 * Measures the pace since the oldest sample of whose prompts enough have left and others still wait. Prompts are sent in
 * order, so no later prompt has left. A span of several seconds evens out prompts that leave in groups.
 */
function paceWaitOf(now: Sample, samples: readonly Sample[]): number {
  for (const { at, waiting } of samples.toReversed()) {
    const isBefore = ({ since }: Slot) => since + slotSeconds * 1_000_000 <= at
    const still = countOf(now.waiting.filter(isBefore))
    const left = countOf(waiting.filter(isBefore)) - still
    if (left > oddMax && still > oddMax) {
      return (countOf(now.waiting) * secondsBetween(at, now.at)) / left
    }
  }
  return 0
}

/** A payer who retries sooner would find the queue as long as before; one who is told to wait longer would give up. */
const retrySeconds = { min: 2, max: 20 } as const

/** After how many seconds a payment may be tried again; undefined where its prompt would be sent soon enough. */
export function busySeconds(
  queue: PromptQueue | undefined,
  waitMaxSeconds: number,
): number | undefined {
  const tooLong = (queue?.waitSeconds ?? 0) - waitMaxSeconds
  if (tooLong <= 0) return undefined
  return Math.min(Math.max(Math.ceil(tooLong), retrySeconds.min), retrySeconds.max)
}

function countOf(slots: readonly Slot[]): number {
  return slots.reduce((sum, { count }) => sum + count, 0)
}

function secondsBetween(from: Instant, to: Instant): number {
  return (to - from) / 1_000_000
}
