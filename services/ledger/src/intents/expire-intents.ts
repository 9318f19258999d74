import { isDatabaseAway } from '@malipo/runtime/database'
import type { Log } from '@malipo/runtime/log'
import { notableEvents } from '@malipo/runtime/metrics'
import type { SharedDatabase } from '../database/database'
import { expireOverdue } from './store/expire-overdue'

/** Deadlines are many seconds away, so one pass a second is enough. */
const everyMs = 1_000

/** One statement ends this many intents well within its time limit; a backlog takes several statements. */
const batchMax = 1_000

export interface ExpireIntentsDeps extends Pick<SharedDatabase, 'pool'> {
  readonly queryEverySeconds: number
  readonly log: Log
}

/**
 * Ends the attempts whose time is up, each second, even if no client reads them and every worker is dead. Any number of
 * ledgers may do so at once: they pass over each other's rows.
 */
export function startExpiringIntents(deps: ExpireIntentsDeps): { stop: () => Promise<void> } {
  let running = Promise.resolve()
  let isRunning = false
  const tick = async () => {
    isRunning = true
    // A timer has no caller to handle an error, and the next second tries again.
    await expireAll(deps).catch((error: unknown) => {
      const write = isDatabaseAway(error) ? deps.log.warn : deps.log.error
      write.call(deps.log, { error }, 'could not expire intents')
    })
    isRunning = false
  }
  const timer = setInterval(() => {
    if (!isRunning) running = tick()
  }, everyMs)
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}

async function expireAll({ pool, queryEverySeconds, log }: ExpireIntentsDeps): Promise<void> {
  for (;;) {
    const expired = await expireOverdue(pool, { limit: batchMax, queryEverySeconds })
    if (expired > 0) {
      notableEvents.inc({ name: 'intent_expired' }, expired)
      log.info({ expired }, 'intents expired')
    }
    if (expired < batchMax) return
  }
}
