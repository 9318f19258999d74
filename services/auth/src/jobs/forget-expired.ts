import type { Log } from '@malipo/runtime/log'
import { repeat } from '@malipo/runtime/repeat'
import type { Database } from '../store/database'
import { forgetExpired } from '../store/expired'

/** What has expired is refused without this; it only gives the room back. */
const everyMs = 60_000

export function startForgettingExpired(db: Database, log: Log): { stop: () => Promise<void> } {
  return repeat({ what: 'forget what has expired', everyMs, log }, () => forgetExpired(db))
}
