import { randomBytes } from 'node:crypto'
import type { AccountServiceServer } from '@malipo/contracts/proto/accounts/v1/account_service'
import { validate } from '@malipo/interface/validate'
import { Fault } from '@malipo/kernel/errors'
import type { Operations } from '@malipo/runtime/grpc'
import { z } from 'zod'
import { isReservedHandle } from '../domain/handle'
import { findAccountOfRequest, keepAccount } from '../store/accounts'
import type { CredentialHasher } from '../store/credential-hash'
import type { Database } from '../store/database'
import {
  bioSchema,
  displayNameSchema,
  homeCountrySchema,
  passwordSchema,
  pinSchema,
  requestIdSchema,
  socialLinksSchema,
  themeOrDefaultSchema,
  handleSchema,
} from './account-fields'
import { readCaller } from './read-caller'

const requestSchema = z.object({
  requestId: requestIdSchema,
  username: handleSchema,
  displayName: displayNameSchema,
  homeCountry: homeCountrySchema,
  password: passwordSchema,
  pin: pinSchema.optional(),
  bio: bioSchema,
  theme: themeOrDefaultSchema,
  socialLinks: socialLinksSchema,
})

export interface CreateAccountDeps {
  readonly db: Database
  readonly hasher: CredentialHasher
}

/**
 * Makes an account with its username and password, and a PIN if the request has one. Faults: invalid_request,
 * handle_taken (also when reserved).
 */
export function createAccount(
  deps: CreateAccountDeps,
): Operations<AccountServiceServer>['createAccount'] {
  return async (wire) => {
    const { password, pin, ...request } = validate(requestSchema, wire)
    const known = await findAccountOfRequest(deps.db, request.requestId)
    if (known !== undefined) return { account: known }
    if (isReservedHandle(request.username)) {
      throw new Fault('handle_taken', { handle: request.username })
    }
    const accountId = `acc_${randomBytes(12).toString('hex')}`
    const [passwordHash, pinHash] = await Promise.all([
      deps.hasher.hash({ accountId, purpose: 'password' }, password),
      pin === undefined ? null : deps.hasher.hash({ accountId, purpose: 'pin' }, pin),
    ])
    const account = { ...request, accountId, passwordHash, pinHash }
    return { account: await keepAccount(deps.db, account, readCaller(wire.caller)) }
  }
}
