import type { AccountServiceServer } from '@malipo/contracts/proto/accounts/v1/account_service'
import { validate } from '@malipo/interface/validate'
import type { Operations } from '@malipo/runtime/grpc'
import { z } from 'zod'
import { requireAccount } from '../store/accounts'
import type { Database } from '../store/database'
import { replaceProfile } from '../store/profiles'
import {
  bioSchema,
  displayNameSchema,
  pictureSchema,
  socialLinksSchema,
  themeSchema,
} from './account-fields'
import { readCaller } from './read-caller'
import { showProfile } from './show-profile'

const editSchema = z.object({
  displayName: displayNameSchema,
  bio: bioSchema,
  theme: themeSchema,
  profileImageUrl: pictureSchema,
  coverImageUrl: pictureSchema,
  socialLinks: socialLinksSchema,
  acceptsPayments: z.boolean(),
})

/** Replaces what an account shows of itself, whole: what the request leaves out is gone. Fault: invalid_request. */
export function editProfile(deps: {
  readonly db: Database
}): Operations<AccountServiceServer>['editProfile'] {
  return async (wire) => {
    const edit = validate(editSchema, wire)
    const { accountId } = await requireAccount(deps.db, wire.accountId)
    const profile = await replaceProfile(deps.db, accountId, edit, readCaller(wire.caller))
    return { profile: showProfile(profile) }
  }
}
