import { Fault } from '@malipo/kernel/errors'
import { isHandle } from '@malipo/kernel/ids'
import type { Account } from '../domain/account'
import type { Caller } from '../domain/audit'
import { findSignInAccount } from '../store/accounts'
import { recordEvent } from '../store/audit-log'
import { type CredentialHasher, decoyHash } from '../store/credential-hash'
import type { Database } from '../store/database'
import { countSignInTry, forgetSignInTries } from '../store/sign-in-tries'

export interface ProvePasswordDeps {
  readonly db: Database
  readonly hasher: CredentialHasher
}

/**
 * The account of whoever knows the password. A username that nobody has costs the same work, ends in the same answer and
 * is counted in the same way. Faults: sign_in_refused, rate_limited.
 */
export async function provePassword(
  { db, hasher }: ProvePasswordDeps,
  { username, password }: { readonly username: string; readonly password: string },
  caller: Caller,
): Promise<Account> {
  const found = isHandle(username) ? await findSignInAccount(db, username) : undefined
  const owner = { accountId: found?.account.accountId ?? '', purpose: 'password' } as const
  const { isMatch } = await hasher.compare(owner, password, async () => {
    await countSignInTry(db, { username, address: caller.address })
    return found?.passwordHash ?? decoyHash
  })
  if (found === undefined) throw new Fault('sign_in_refused')
  const { account } = found
  if (!isMatch) {
    await recordEvent(db, { accountId: account.accountId, action: 'sign_in_refused', caller })
    throw new Fault('sign_in_refused')
  }
  await forgetSignInTries(db, username)
  return account
}
