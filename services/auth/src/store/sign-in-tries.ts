import { Fault } from '@malipo/kernel/errors'
import { isHandle } from '@malipo/kernel/ids'
import { addressGroup } from '@malipo/runtime/client-address'
import { foldHandle } from '../domain/handle'
import { signInTriesMax, signInWindowSeconds, signUpsMax } from '../domain/sign-in'
import type { Database } from './database'

interface Count {
  readonly subject: string
  readonly tries: number
  readonly waitSeconds: number
}

/**
 * Counts a try to sign in, by username and by address, before anybody looks at the password. A username that nobody has
 * is counted too: a limit must not tell who is there. Fault: rate_limited, with `retry_after_seconds`.
 */
export async function countSignInTry(
  db: Database,
  attempt: { readonly username: string; readonly address: string },
): Promise<void> {
  const limits = new Map<string, number>()
  if (isHandle(attempt.username)) limits.set(subjectOf(attempt.username), signInTriesMax.username)
  if (attempt.address !== '') {
    limits.set(`address:${addressGroup(attempt.address)}`, signInTriesMax.address)
  }
  await countTry(db, limits)
}

/** Counts an account that somebody asks for. Fault: rate_limited. */
export async function countSignUp(db: Database, address: string): Promise<void> {
  await countTry(db, new Map([[`sign-up:${addressGroup(address)}`, signUpsMax]]))
}

async function countTry(db: Database, limits: ReadonlyMap<string, number>): Promise<void> {
  // In one order for everybody, so that two tries never wait for each other.
  const subjects = [...limits.keys()].sort()
  const counts = await db.$queryRaw<Count[]>`
    INSERT INTO sign_in_tries AS known (subject, tries, resets_at)
    SELECT subject, 1, now() + make_interval(secs => ${signInWindowSeconds}) FROM unnest(${subjects}::text[]) AS subject
    ON CONFLICT (subject) DO UPDATE SET
      tries = CASE WHEN known.resets_at <= now() THEN 1 ELSE known.tries + 1 END,
      resets_at = CASE WHEN known.resets_at <= now() THEN excluded.resets_at ELSE known.resets_at END
    RETURNING subject, tries, greatest(1, ceil(extract(epoch FROM resets_at - now())))::int AS "waitSeconds"`
  const over = counts.filter(({ subject, tries }) => tries > (limits.get(subject) ?? 0))
  if (over.length === 0) return
  const waitSeconds = Math.max(...over.map((count) => count.waitSeconds))
  throw new Fault('rate_limited', { retry_after_seconds: waitSeconds })
}

/** After the right password: the tries at this username were its owner's. Those of the address stay counted. */
export async function forgetSignInTries(db: Database, username: string): Promise<void> {
  await db.signInTries.deleteMany({ where: { subject: subjectOf(username) } })
}

function subjectOf(username: string): string {
  return `username:${foldHandle(username)}`
}
