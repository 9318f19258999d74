import type { Log } from '@malipo/runtime/log'
import { repeat } from '@malipo/runtime/repeat'
import type { Database } from './database'
import { forgetOldDevices } from '../sessions/store/known-devices'
import { forgetOldRequests } from '../requests/store/merchant-requests'

/** Expired rows are refused anyway; this only frees space. */
const everyMs = 60_000

export function startForgettingExpired(db: Database, log: Log): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const job = repeat({ what: 'forget what has expired', everyMs, log }, () =>
    forgetExpired(db, stopping.signal),
  )
  return {
    async stop() {
      stopping.abort()
      await job.stop()
    },
  }
}

/** Deletes ended sessions, expired sign-in tries and codes for a new password, forgotten browsers, and requests too old to show. */
export async function forgetExpired(db: Database, signal: AbortSignal): Promise<void> {
  await db.$executeRaw`DELETE FROM sign_in_sessions WHERE expires_at <= now()`
  await db.$executeRaw`DELETE FROM sign_in_tries WHERE resets_at <= now()`
  await db.$executeRaw`DELETE FROM password_codes WHERE expires_at <= now()`
  await forgetOldDevices(db)
  await forgetOldRequests(db, signal)
}
