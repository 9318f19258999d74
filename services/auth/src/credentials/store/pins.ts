import { Fault } from '@malipo/kernel/errors'
import type { Caller } from '../../audit/rules/audit'
import { pinLockSeconds, pinTriesMax } from '../rules/pin-lock'
import { recordEvent } from '../../audit/store/audit-log'
import type { Database } from '../../database/database'

/** One counted try at a PIN: the hash to compare with, and the tries left after it. */
export interface PinTry {
  readonly pinHash: string
  readonly triesLeft: number
}

/**
 * Counts a try before the comparison, in one statement: of fifty parallel tries five get a hash. Faults: pin_locked,
 * pin_not_set, invalid_request (no such account).
 */
export async function countPinTry(db: Database, accountId: string): Promise<PinTry> {
  const [counted] = await db.$queryRaw<PinTry[]>`
    UPDATE credentials SET
      -- After five tries the lock has ended, and this is the first of the next five tries.
      pin_tries = pin_tries % ${pinTriesMax} + 1,
      pin_locks = pin_locks + (pin_tries = ${pinTriesMax} - 1)::int,
      pin_locked_until = CASE WHEN pin_tries = ${pinTriesMax} - 1 THEN coalesce(
        now() + make_interval(secs => (${[...pinLockSeconds]}::int[])[pin_locks + 1]), 'infinity') END
    WHERE account_id = ${accountId} AND pin_hash IS NOT NULL
      AND (pin_locked_until IS NULL OR pin_locked_until <= now())
    RETURNING pin_hash AS "pinHash", ${pinTriesMax} - pin_tries AS "triesLeft"`
  return counted ?? refuseTry(db, accountId)
}

async function refuseTry(db: Database, accountId: string): Promise<never> {
  const [found] = await db.$queryRaw<{ isSet: boolean; waitSeconds: number | null }[]>`
    SELECT pin_hash IS NOT NULL AS "isSet",
      CASE WHEN isfinite(pin_locked_until)
        THEN greatest(1, ceil(extract(epoch FROM pin_locked_until - now())))::int END AS "waitSeconds"
    FROM credentials WHERE account_id = ${accountId}`
  if (found === undefined) throw new Fault('invalid_request', { field: 'account_id' })
  if (!found.isSet) throw new Fault('pin_not_set')
  const { waitSeconds } = found
  throw new Fault('pin_locked', waitSeconds === null ? {} : { retry_after_seconds: waitSeconds })
}

/** Resets the count after the right PIN. Returns the database's time. */
export async function forgetPinTries(db: Database, accountId: string): Promise<Date> {
  const [forgotten] = await db.$queryRaw<{ at: Date }[]>`
    UPDATE credentials SET pin_tries = 0, pin_locks = 0, pin_locked_until = NULL
    WHERE account_id = ${accountId} RETURNING clock_timestamp() AS at`
  if (forgotten === undefined) throw new Fault('invalid_request', { field: 'account_id' })
  return forgotten.at
}

export async function recordRefusedPin(
  db: Database,
  accountId: string,
  { triesLeft, caller }: { readonly triesLeft: number; readonly caller: Caller },
): Promise<void> {
  const action = triesLeft === 0 ? 'pin_locked' : 'pin_refused'
  await recordEvent(db, { accountId, action, caller })
}

export async function findPinHash(db: Database, accountId: string): Promise<string | undefined> {
  const found = await db.credential.findUnique({ where: { accountId }, select: { pinHash: true } })
  return found?.pinHash ?? undefined
}

/** Replaces the PIN that was proven; false when it has changed since. */
export async function replacePin(
  db: Database,
  accountId: string,
  change: { readonly from: string | undefined; readonly to: string; readonly caller: Caller },
): Promise<boolean> {
  const { from, to, caller } = change
  return db.$transaction(async (tx) => {
    const { count } = await tx.credential.updateMany({
      where: { accountId, pinHash: from ?? null },
      data: { pinHash: to },
    })
    if (count === 0) return false
    const action = from === undefined ? 'pin_set' : 'pin_changed'
    await recordEvent(tx, { accountId, action, caller })
    return true
  })
}
