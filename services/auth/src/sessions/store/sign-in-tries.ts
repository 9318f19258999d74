import { Fault } from '@malipo/kernel/errors'
import { isHandle } from '@malipo/kernel/ids'
import { addressGroup } from '@malipo/runtime/client-address'
import { foldHandle } from '../../handles/rules/handle'
import { signInTriesMax, signInWindowSeconds, signUpsMax } from '../rules/sign-in'
import type { Database } from '../../database/database'

export interface SignInTry {
  readonly username: string
  readonly address: string
  /** The counter of a known browser, or of a live session; undefined for an unknown browser. */
  readonly ownSubject: string | undefined
}

/**
 * Counts a sign-in try before the password is compared. A known browser and a live session have their own counter,
 * which no other client can use up. For an unknown browser the address is checked first, and an address over its
 * limit counts against no username: otherwise one client could lock every owner out. Unknown usernames are counted
 * too: a limit must not reveal which accounts exist. Fault: rate_limited, with `retry_after_seconds`.
 */
export async function countSignInTry(
  db: Database,
  { username, address, ownSubject }: SignInTry,
): Promise<void> {
  if (ownSubject !== undefined) {
    await countTry(db, ownSubject, signInTriesMax.username)
    return
  }
  await countTry(db, `address:${addressGroup(address)}`, signInTriesMax.address)
  if (isHandle(username)) await countTry(db, subjectOf(username), signInTriesMax.username)
}

/** Counts one request to create an account. Fault: rate_limited. */
export async function countSignUp(db: Database, address: string): Promise<void> {
  await countTry(db, `sign-up:${addressGroup(address)}`, signUpsMax)
}

async function countTry(db: Database, subject: string, triesMax: number): Promise<void> {
  const [counted] = await db.$queryRaw<[{ tries: number; waitSeconds: number }]>`
    INSERT INTO sign_in_tries AS known (subject, tries, resets_at)
    VALUES (${subject}, 1, now() + make_interval(secs => ${signInWindowSeconds}))
    ON CONFLICT (subject) DO UPDATE SET
      tries = CASE WHEN known.resets_at <= now() THEN 1 ELSE known.tries + 1 END,
      resets_at = CASE WHEN known.resets_at <= now() THEN excluded.resets_at ELSE known.resets_at END
    RETURNING tries, greatest(1, ceil(extract(epoch FROM resets_at - now())))::int AS "waitSeconds"`
  if (counted.tries <= triesMax) return
  throw new Fault('rate_limited', { retry_after_seconds: counted.waitSeconds })
}

/**
 * Resets one counter after the right password: that of the known browser or session, else that of the username. Its
 * tries were the owner's. The counter of the address is never reset, and that of the username is not reset by a sign-in
 * from a known browser.
 */
export async function forgetSignInTries(
  db: Database,
  { username, ownSubject }: Omit<SignInTry, 'address'>,
): Promise<void> {
  await db.signInTries.deleteMany({ where: { subject: ownSubject ?? subjectOf(username) } })
}

function subjectOf(username: string): string {
  return `username:${foldHandle(username)}`
}
