import type { Log } from '@malipo/runtime/log'
import { happenings } from '@malipo/runtime/metrics'
import type { Database } from '../store/database'
import { expireOverdue } from '../store/due'

/** Deadlines are whole seconds to whoever waits for them. */
const everyMs = 1_000

/** What one statement ends well within its time limit; a backlog takes several. */
const batchMax = 1_000

export interface ExpireIntentsDeps {
  readonly db: Database
  readonly queryEverySeconds: number
  readonly log: Log
}

/**
 * Ends the attempts whose time is up, each second, although nobody reads them and every worker is dead. Any number of
 * ledgers may do so at once: they pass over each other's rows.
 */
export function startExpiringIntents(deps: ExpireIntentsDeps): { stop: () => Promise<void> } {
  let running = Promise.resolve()
  let isRunning = false
  const tick = async () => {
    isRunning = true
    // A door: the next second tries again.
    await expireAll(deps).catch((error: unknown) => {
      deps.log.error({ error }, 'could not expire intents')
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

async function expireAll({ db, queryEverySeconds, log }: ExpireIntentsDeps): Promise<void> {
  for (;;) {
    const expired = await expireOverdue(db, { limit: batchMax, queryEverySeconds })
    if (expired > 0) {
      happenings.inc({ name: 'intent_expired' }, expired)
      log.info({ expired }, 'intents expired')
    }
    if (expired < batchMax) return
  }
}
