import { randomBytes } from 'node:crypto'
import { firstCell } from '@malipo/kernel/cells'
import { Fault } from '@malipo/kernel/errors'
import type { CellLedgers } from '@malipo/ledger-client/ledger'
import type { Account } from '../rules/account'
import type { Caller } from '../../audit/rules/audit'
import { isReservedHandle } from '../../handles/rules/handle'
import { findAccountOfRequest, findEmptiestCell, saveAccount, type NewAccount } from './accounts'
import type { CredentialHasher } from '../../credentials/store/credential-hash'
import type { Database } from '../../database/database'
import {
  refuseMisleadingHandle,
  refuseMisleadingName,
} from '../../handles/store/refuse-misleading-names'
import { refuseWeakPassword, refuseWeakPin } from '../../credentials/store/refuse-weak-secrets'

export interface MakeAccountDeps {
  readonly db: Database
  readonly hasher: CredentialHasher
  /** How many cells a country has. */
  readonly ledgers: Pick<CellLedgers, 'cells'>
}

export interface AccountRequest extends Omit<
  NewAccount,
  'accountId' | 'cell' | 'passwordHash' | 'pinHash'
> {
  readonly password: string
  readonly pin?: string | undefined
}

/**
 * Creates an account with its username, its password and perhaps a PIN. Or finds the account that this request id made
 * before, and returns no password hash. The rules for names and passwords apply to new accounts only. Faults:
 * invalid_request, handle_taken (also when the username is reserved or looks like a taken one).
 */
export async function makeAccount(
  { db, hasher, ledgers }: MakeAccountDeps,
  { password, pin, ...request }: AccountRequest,
  caller: Caller,
): Promise<{ account: Account; passwordHash?: string }> {
  const known = await findAccountOfRequest(db, request.requestId)
  if (known !== undefined) return { account: known }
  refuseMisleadingHandle('username', request.username)
  refuseMisleadingName(request.displayName)
  refuseWeakPassword(password, request)
  if (pin !== undefined) refuseWeakPin(pin)
  if (isReservedHandle(request.username))
    throw new Fault('handle_taken', { handle: request.username })
  const accountId = `acc_${randomBytes(12).toString('hex')}`
  const [passwordHash, pinHash] = await Promise.all([
    hasher.hash({ accountId, purpose: 'password' }, password),
    pin === undefined ? null : hasher.hash({ accountId, purpose: 'pin' }, pin),
  ])
  const cells = ledgers.cells(request.homeCountry)
  const cell = cells === 1 ? firstCell : await findEmptiestCell(db, request.homeCountry, cells)
  const made = { ...request, accountId, cell, passwordHash, pinHash }
  const account = await saveAccount(db, made, caller)
  // A parallel call with this request id may have created the account first.
  return account.accountId === accountId ? { account, passwordHash } : { account }
}
