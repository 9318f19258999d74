import type { Database } from './database'
import { forgetOldDevices } from './known-devices'
import { forgetOldRequests } from './merchant-requests'

/** Removes sessions that are over, tries to sign in that no longer count, browsers that are known no longer, and requests that are too old to show. */
export async function forgetExpired(db: Database): Promise<void> {
  await db.$executeRaw`DELETE FROM sign_in_sessions WHERE expires_at <= now()`
  await db.$executeRaw`DELETE FROM sign_in_tries WHERE resets_at <= now()`
  await forgetOldDevices(db)
  await forgetOldRequests(db)
}
