import { randomBytes } from 'node:crypto'
import type { AccountServiceServer } from '@malipo/contracts/proto/accounts/v1/account_service'
import { Fault } from '@malipo/kernel/errors'
import { isHandle } from '@malipo/kernel/ids'
import type { Operations } from '@malipo/runtime/grpc'
import { recordEvent } from '../store/audit-log'
import { type CredentialHasher, decoyHash } from '../store/credential-hash'
import type { Database } from '../store/database'
import { findSignInAccount } from '../store/accounts'
import { keepSession } from '../store/sign-in-sessions'
import { countSignInTry, forgetSignInTries } from '../store/sign-in-tries'
import { readCaller } from './read-caller'

export interface SignInDeps {
  readonly db: Database
  readonly hasher: CredentialHasher
}

/**
 * Opens a session for whoever knows the password. A username that nobody has costs the same work, ends in the same
 * answer and is counted in the same way. Faults: sign_in_refused, rate_limited.
 */
export function signIn({ db, hasher }: SignInDeps): Operations<AccountServiceServer>['signIn'] {
  return async ({ username, password, caller: wireCaller }) => {
    const caller = readCaller(wireCaller)
    const found = isHandle(username) ? await findSignInAccount(db, username) : undefined
    const owner = { accountId: found?.account.accountId ?? '', purpose: 'password' } as const
    const { isMatch } = await hasher.compare(owner, password, async () => {
      await countSignInTry(db, { username, address: caller.address })
      return found?.passwordHash ?? decoyHash
    })
    if (found === undefined) throw new Fault('sign_in_refused')
    const { account } = found
    const { accountId } = account
    if (!isMatch) {
      await recordEvent(db, { accountId, action: 'sign_in_refused', caller })
      throw new Fault('sign_in_refused')
    }
    await forgetSignInTries(db, username)
    const sessionToken = randomBytes(32).toString('base64url')
    const sessionId = `ses_${randomBytes(12).toString('hex')}`
    const session = await keepSession(db, { sessionId, accountId, token: sessionToken, caller })
    return { sessionToken, session, account }
  }
}
