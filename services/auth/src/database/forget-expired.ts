import type { Log } from '@malipo/runtime/log'
import { repeat } from '@malipo/runtime/repeat'
import type { Database } from './database'
import { forgetExpired } from './expired'

/** Expired rows are refused anyway; this only frees space. */
const everyMs = 60_000

export function startForgettingExpired(db: Database, log: Log): { stop: () => Promise<void> } {
  return repeat({ what: 'forget what has expired', everyMs, log }, () => forgetExpired(db))
}
