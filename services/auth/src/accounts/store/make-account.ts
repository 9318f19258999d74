import { randomBytes } from 'node:crypto'
import { Fault } from '@malipo/kernel/errors'
import type { Account } from '../rules/account'
import type { Caller } from '../../audit/rules/audit'
import { isReservedHandle } from '../../handles/rules/handle'
import { findAccountOfRequest, saveAccount, type NewAccount } from './accounts'
import type { CredentialHasher } from '../../credentials/store/credential-hash'
import type { Database } from '../../database/database'
import {
  refuseMisleadingHandle,
  refuseMisleadingName,
} from '../../handles/store/refuse-misleading-names'
import { refuseWeakPassword, refuseWeakPin } from '../../credentials/store/refuse-weak-secrets'

export interface AskedAccount extends Omit<NewAccount, 'accountId' | 'passwordHash' | 'pinHash'> {
  readonly password: string
  readonly pin?: string | undefined
}

/**
 * Creates an account with its username, its password and perhaps a PIN, or finds the one that this request id made
 * before. Rules apply to new accounts only: a repeated request finds an account from before a rule. Faults:
 * invalid_request, handle_taken (also when reserved, or when it looks like another).
 */
export async function makeAccount(
  { db, hasher }: { readonly db: Database; readonly hasher: CredentialHasher },
  { password, pin, ...asked }: AskedAccount,
  caller: Caller,
): Promise<{ account: Account; isNew: boolean }> {
  const known = await findAccountOfRequest(db, asked.requestId)
  if (known !== undefined) return { account: known, isNew: false }
  refuseMisleadingHandle('username', asked.username)
  refuseMisleadingName(asked.displayName)
  refuseWeakPassword(password, asked)
  if (pin !== undefined) refuseWeakPin(pin)
  if (isReservedHandle(asked.username)) throw new Fault('handle_taken', { handle: asked.username })
  const accountId = `acc_${randomBytes(12).toString('hex')}`
  const [passwordHash, pinHash] = await Promise.all([
    hasher.hash({ accountId, purpose: 'password' }, password),
    pin === undefined ? null : hasher.hash({ accountId, purpose: 'pin' }, pin),
  ])
  const account = await saveAccount(db, { ...asked, accountId, passwordHash, pinHash }, caller)
  // A parallel call of this request id may have been first.
  return { account, isNew: account.accountId === accountId }
}
