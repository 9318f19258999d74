import { readJsonBody } from '@malipo/interface/json-body'
import { succeed } from '@malipo/runtime/answer'
import { readRawBody } from '@malipo/runtime/read-bytes'
import { z } from 'zod'
import type { Hub } from '../operation'
import {
  bioSchema,
  displayNameSchema,
  pictureSchema,
  socialLinksSchema,
  themeSchema,
} from '../accounts/account-fields'
import { replaceProfile } from './store/profiles'
import { refuseMisleadingName } from '../handles/store/refuse-misleading-names'
import { showProfile } from './show-profile'
import type { VisitOperation } from '../sessions/signed-in'

const bodySchema = z.strictObject({
  display_name: displayNameSchema,
  /**
   * The bio is sent as a list of lines, which are joined here, because texts with control characters such as line
   * breaks are refused.
   */
  bio: z
    .array(z.string())
    .max(280)
    .transform((lines) => lines.join('\n'))
    .pipe(bioSchema),
  theme: themeSchema,
  profile_image_url: pictureSchema,
  cover_image_url: pictureSchema,
  social_links: socialLinksSchema,
  accepts_payments: z.boolean(),
})

/** `PUT /v1/hub/profile`: replaces the whole profile; omitted fields are deleted. Fault: invalid_request. */
export function editProfile(deps: Hub): VisitOperation {
  return async (request, { account: { accountId, username, displayName }, caller }) => {
    const body = readJsonBody(bodySchema, await readRawBody(request))
    // A name stored before this rule may stay.
    if (body.display_name !== displayName) refuseMisleadingName(body.display_name)
    const edit = {
      displayName: body.display_name,
      bio: body.bio,
      theme: body.theme,
      profileImageUrl: body.profile_image_url,
      coverImageUrl: body.cover_image_url,
      socialLinks: body.social_links,
      acceptsPayments: body.accepts_payments,
    }
    const profile = await replaceProfile(deps.db, accountId, edit, caller)
    return succeed(200, 'Profile', showProfile(profile, username))
  }
}
