import { createHmac, randomBytes } from 'node:crypto'
import { promptsPerPhoneMax } from '@malipo/kernel/prompts'
import type { Redis } from 'ioredis'
import { defineLimitRate } from '../limits/limit-rate'

const hourMs = 3_600_000

/** A place among the prompts that a phone may have in an hour. */
export interface PromptPlace {
  /** Until it may have one more; undefined where it may have this one. */
  readonly waitSeconds: number | undefined
  /** No prompt was begun. */
  readonly giveBack: () => void
}

export type TakePromptPlace = (phone: string) => Promise<PromptPlace>

const uncounted: PromptPlace = { waitSeconds: undefined, giveBack: () => undefined }

/**
 * Counts the prompts of a phone over all cells, as each ledger knows its own only. A ledger that has to wait still answers a
 * replay. Without Redis each ledger's own count is all there is.
 */
export function openPromptPlaces(options: {
  readonly redis: Redis
  readonly prefix: string
  /** Redis is shown no phone number. */
  readonly secret: Buffer
}): TakePromptPlace {
  const { redis, prefix, secret } = options
  const limited = defineLimitRate(redis)
  return async (phone) => {
    const name = randomBytes(9).toString('base64')
    const subject = createHmac('sha256', secret).update(`prompts ${phone}`).digest('base64url')
    const key = `${prefix}:limit:phone:${subject}`
    const answer = await limited
      .limitRate(key, promptsPerPhoneMax, hourMs, name)
      .catch(() => undefined)
    if (answer === undefined) return uncounted
    const [allowed, , waitMs] = answer
    if (allowed !== 1) return { ...uncounted, waitSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) }
    const giveBack = () => {
      redis.zrem(key, name).catch(() => undefined)
    }
    return { waitSeconds: undefined, giveBack }
  }
}
