import { isHandle } from '@malipo/kernel/ids'
import { z } from 'zod'
import { handleRule } from './handle'
import { refuseField } from './validate'

/** `data` of `GET {auth_url}/v1/auth/public/profile/{handle}`: what an account shows of itself. */
export const profileSchema = z.strictObject({
  /** The name in the URL as its owner writes it; on a link it differs from `username`. */
  handle: z.string(),
  username: z.string(),
  display_name: z.string(),
  profile_image_url: z.url().nullable(),
  bio: z.string().nullable(),
  theme: z.enum(['light', 'dark', 'sunset', 'ocean', 'forest']),
  cover_image_url: z.url().nullable(),
  social_links: z.array(z.strictObject({ platform: z.string(), url: z.url() })),
  /** ISO 3166: the host of this country holds the money. */
  home_country: z.enum(['KE', 'UG']),
  accepts_payments: z.boolean(),
})
export type ProfileView = z.infer<typeof profileSchema>

/** The `{handle}` of a route. Fault: invalid_request, before any look-up. */
export function readHandle(text: string): string {
  return isHandle(text) ? text : refuseField('handle', handleRule)
}
