import type { Instant } from '../../evidence/rules/state'

/** The attempts of one rail whose prompt no worker has begun to send, as they are at one moment. */
export interface Look {
  readonly at: Instant
  /** How many began to wait in each half second, by its beginning, the oldest first. */
  readonly waiting: readonly Slot[]
}

export interface Slot {
  readonly since: Instant
  readonly count: number
}

export const slotSeconds = 0.5

/** A rail's queue, as it was seen lately. */
export interface PromptQueue {
  /** The newest first. */
  readonly looks: readonly Look[]
  /** How long a new prompt would wait for those before it; 0 where their pace cannot be seen. */
  readonly paceWaitSeconds: number
  /** How long a new prompt would wait, by all that is known. */
  readonly waitSeconds: number
}

/** So many may wait, or leave, for their own reason: they say nothing of the others. */
const oddMax = 2

/** Those of five seconds. */
const looksMax = 10

/**
 * What one more look at the queue says of a new prompt. It waits as long as the oldest have waited. And it waits for all that are
 * before it, at the pace at which they leave, which shows long before the oldest is old. One look may mislead, such as the one
 * in which a worker is just back: of two looks the shorter wait counts.
 */
export function nextPromptQueue(before: PromptQueue | undefined, look: Look): PromptQueue {
  const looks = before?.looks ?? []
  const paceWaitSeconds = paceWaitOf(look, looks)
  const shorter = Math.min(before?.paceWaitSeconds ?? 0, paceWaitSeconds)
  return {
    looks: [look, ...looks].slice(0, looksMax),
    paceWaitSeconds,
    waitSeconds: Math.max(ageOf(look), shorter),
  }
}

/** How long the oldest but the odd ones have waited. */
function ageOf({ at, waiting }: Look): number {
  let count = 0
  const slot = waiting.find((one) => (count += one.count) > oddMax)
  return slot === undefined ? 0 : secondsBetween(slot.since, at)
}

/**
 * By the oldest look of which enough have left and others still wait: prompts are sent in order, so none that came after it has
 * left, and its pace is that of several seconds, in which prompts may leave by the dozen.
 */
function paceWaitOf(now: Look, looks: readonly Look[]): number {
  for (const { at, waiting } of looks.toReversed()) {
    const isBefore = ({ since }: Slot) => since + slotSeconds * 1_000_000 <= at
    const still = countOf(now.waiting.filter(isBefore))
    const left = countOf(waiting.filter(isBefore)) - still
    if (left > oddMax && still > oddMax) {
      return (countOf(now.waiting) * secondsBetween(at, now.at)) / left
    }
  }
  return 0
}

/** A payer who is told a shorter time finds the queue as long, and one who is told a longer time goes away. */
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
