import { Fault } from '@malipo/kernel/errors'
import { isHandle } from '@malipo/kernel/ids'
import type { Accounts } from '../operation'
import type { Caller } from '../audit/rules/audit'
import { findPassword } from '../accounts/store/accounts'
import { recordEvent, recordNothing } from '../audit/store/audit-log'
import type { ProvenPassword } from './rules/proven-password'
import { decoyHash } from './store/credential-hash'
import type { Database } from '../database/database'
import { deviceSubject, isKnownDevice } from '../sessions/store/known-devices'
import { countSignInTry, forgetSignInTries } from '../sessions/store/sign-in-tries'

/** Where a password was entered: at sign-in, or in a live session. */
export interface PasswordSource {
  readonly caller: Caller
  /** The browser's device token, empty without one; absent in a live session. */
  readonly deviceToken?: string
  /** The account's live session; absent at sign-in. */
  readonly sessionId?: string
}

/**
 * Returns the account if the password is right. An unknown username takes the same work, returns the same answer and
 * is counted in the same way. Faults: sign_in_refused, rate_limited.
 */
export async function provePassword(
  { db, hasher }: Accounts,
  { username, password }: { readonly username: string; readonly password: string },
  from: PasswordSource,
): Promise<ProvenPassword> {
  const { caller } = from
  const found = isHandle(username) ? await findPassword(db, username) : undefined
  const owner = { accountId: found?.accountId ?? '', purpose: 'password' } as const
  const ownSubject = await ownSubjectOf(db, owner.accountId, from)
  const { isMatch } = await hasher.compare(owner, password, async () => {
    await countSignInTry(db, { username, address: caller.address, ownSubject })
    return found?.passwordHash ?? decoyHash
  })
  if (found !== undefined && isMatch) {
    await forgetSignInTries(db, { username, ownSubject })
    return found
  }
  if (found === undefined) await recordNothing(db)
  else await recordEvent(db, { accountId: found.accountId, action: 'sign_in_refused', caller })
  throw new Fault('sign_in_refused')
}

/** The name of the counter of tries that only this browser or session can use up; undefined for an unknown browser. */
export async function ownSubjectOf(
  db: Database,
  accountId: string,
  { deviceToken = '', sessionId }: PasswordSource,
): Promise<string | undefined> {
  if (sessionId !== undefined) return `session:${sessionId}`
  const isKnown = await isKnownDevice(db, accountId, deviceToken)
  return isKnown ? deviceSubject(accountId, deviceToken) : undefined
}
