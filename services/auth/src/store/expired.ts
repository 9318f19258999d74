import type { Database } from './database'

/** Removes sessions that are over, and tries to sign in that no longer count. */
export async function forgetExpired(db: Database): Promise<void> {
  await db.$executeRaw`DELETE FROM sign_in_sessions WHERE expires_at <= now()`
  await db.$executeRaw`DELETE FROM sign_in_tries WHERE resets_at <= now()`
}
