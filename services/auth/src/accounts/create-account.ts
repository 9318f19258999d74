import { validate } from '@malipo/interface/validate'
import { z } from 'zod'
import type { AccountOperation } from '../operation'
import { makeAccount, type MakeAccountDeps } from './store/make-account'
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
import { readCaller } from '../audit/read-caller'

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

/**
 * Creates an account with its username and password, and a PIN if given. Faults: invalid_request, handle_taken (also
 * when reserved).
 */
export function createAccount(deps: MakeAccountDeps): AccountOperation<'createAccount'> {
  return async (wire) => {
    const request = validate(requestSchema, wire)
    const { account } = await makeAccount(deps, request, readCaller(wire.caller))
    return { account }
  }
}
