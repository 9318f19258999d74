import type { Rail } from '@malipo/kernel/countries'
import type { Log } from '@malipo/runtime/log'
import { repeat } from '@malipo/runtime/repeat'
import type { SharedDatabase } from '../database/database'
import { busySeconds, type Sample, nextPromptQueue, type PromptQueue } from './rules/prompt-queue'
import { sampleWaitingPrompts } from './store/intents'

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
 * Counts twice a second the attempts that wait for their prompt, for the admission of payments. Each ledger counts those
 * of its whole cell, in the database, so that it needs neither Redis nor another ledger. While a count fails, no payment
 * is refused as busy.
 */
export function watchPrompts({ pool, log, waitMaxSeconds }: WatchPromptsOptions): PromptWatch {
  let queues: ReadonlyMap<Rail, PromptQueue> = new Map()
  const { stop } = repeat({ what: 'count the prompts that wait', everyMs, log }, async () => {
    const samples = await sampleWaitingPrompts(pool).catch((error: unknown) => {
      queues = new Map()
      throw error
    })
    const next = (rail: Rail, sample: Sample) => nextPromptQueue(queues.get(rail), sample)
    queues = new Map([...samples].map(([rail, sample]) => [rail, next(rail, sample)]))
  })
  return { stop, busySeconds: (rail) => busySeconds(queues.get(rail), waitMaxSeconds) }
}
