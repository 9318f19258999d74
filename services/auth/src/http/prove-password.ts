import { Fault } from '@malipo/kernel/errors'
import { isHandle } from '@malipo/kernel/ids'
import type { Caller } from '../domain/audit'
import { findPassword } from '../store/accounts'
import { recordEvent, recordNothing } from '../store/audit-log'
import { type CredentialHasher, decoyHash } from '../store/credential-hash'
import type { Database } from '../store/database'
import { countSignInTry, forgetSignInTries } from '../store/sign-in-tries'

export interface ProvePasswordDeps {
  readonly db: Database
  readonly hasher: CredentialHasher
}

/**
 * The id of the account of whoever knows the password. A username that nobody has costs the same work, ends in the same
 * answer and is counted in the same way. Faults: sign_in_refused, rate_limited.
 */
export async function provePassword(
  { db, hasher }: ProvePasswordDeps,
  { username, password }: { readonly username: string; readonly password: string },
  caller: Caller,
): Promise<string> {
  const found = isHandle(username) ? await findPassword(db, username) : undefined
  const owner = { accountId: found?.accountId ?? '', purpose: 'password' } as const
  const { isMatch } = await hasher.compare(owner, password, async () => {
    await countSignInTry(db, { username, address: caller.address })
    return found?.passwordHash ?? decoyHash
  })
  if (found !== undefined && isMatch) {
    await forgetSignInTries(db, username)
    return found.accountId
  }
  if (found === undefined) await recordNothing(db)
  else await recordEvent(db, { accountId: found.accountId, action: 'sign_in_refused', caller })
  throw new Fault('sign_in_refused')
}
