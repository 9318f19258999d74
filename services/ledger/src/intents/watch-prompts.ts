import type { Rail } from '@malipo/kernel/countries'
import type { Log } from '@malipo/runtime/log'
import { repeat } from '@malipo/runtime/repeat'
import type { SharedDatabase } from '../database/database'
import { busySeconds, type Look, nextPromptQueue, type PromptQueue } from './rules/prompt-queue'
import { lookAtWaitingPrompts } from './store/intents'

const everyMs = 500

export interface PromptWatch {
  /** After how many seconds a payment over a rail may be tried again; undefined where its prompt would be sent soon enough. */
  busySeconds(rail: Rail): number | undefined
  readonly stop: () => Promise<void>
}

export interface WatchPromptsOptions extends Pick<SharedDatabase, 'pool'> {
  readonly log: Log
  /** How long a prompt may wait to be sent. */
  readonly waitMaxSeconds: number
}

/**
 * Looks twice a second at what waits for its prompt, for the admission of payments. Each ledger looks at all of its
 * cell, in the database, so that it needs neither Redis nor another ledger. While a look fails, no payment is refused
 * as busy.
 */
export function watchPrompts({ pool, log, waitMaxSeconds }: WatchPromptsOptions): PromptWatch {
  let queues: ReadonlyMap<Rail, PromptQueue> = new Map()
  const { stop } = repeat({ what: 'look at what waits for its prompt', everyMs, log }, async () => {
    const looks = await lookAtWaitingPrompts(pool).catch((error: unknown) => {
      queues = new Map()
      throw error
    })
    const next = (rail: Rail, look: Look) => nextPromptQueue(queues.get(rail), look)
    queues = new Map([...looks].map(([rail, look]) => [rail, next(rail, look)]))
  })
  return { stop, busySeconds: (rail) => busySeconds(queues.get(rail), waitMaxSeconds) }
}
