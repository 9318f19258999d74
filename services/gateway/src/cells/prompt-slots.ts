import { createHmac, randomBytes } from 'node:crypto'
import { promptsPerPhoneMax } from '@malipo/kernel/prompts'
import type { Redis } from 'ioredis'
import { defineLimitRate } from '../limits/limit-rate'

const hourMs = 3_600_000

/** One of the prompts that a phone may have in an hour. */
export interface PromptSlot {
  /** The time until the phone may have another prompt; undefined when it may have this one now. */
  readonly waitSeconds: number | undefined
  /** Frees the slot again, when no prompt was begun. */
  readonly giveBack: () => void
}

export type TakePromptSlot = (phone: string) => Promise<PromptSlot>

const uncounted: PromptSlot = { waitSeconds: undefined, giveBack: () => undefined }

/**
 * Counts the prompts of a phone over all cells, as each ledger knows its own only. The wait is passed to the ledger,
 * which refuses a new prompt by it and still answers a replay. Without Redis, only each ledger's own count applies.
 */
export function openPromptSlots(options: {
  readonly redis: Redis
  readonly prefix: string
  /** The key of the HMAC by which Redis knows a phone, so that it is given no phone number. */
  readonly secret: Buffer
}): TakePromptSlot {
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
