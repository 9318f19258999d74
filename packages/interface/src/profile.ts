import { isHandle } from '@malipo/kernel/ids'
import { z } from 'zod'
import { handleRule } from './handle'
import { refuseField } from './validate'

/** `data` of `GET {auth_url}/v1/auth/public/profile/{handle}`: what an account shows of itself. */
export const profileSchema = z.strictObject({
  handle: z
    .string()
    .describe('The name in the URL as its owner writes it; on a link it differs from `username`'),
  username: z.string().describe('The owner of the account'),
  display_name: z.string().describe('How the owner wants to be named'),
  profile_image_url: z.url().nullable().describe('A picture of the owner'),
  bio: z.string().nullable().describe('What the owner says about the business'),
  theme: z
    .enum(['light', 'dark', 'sunset', 'ocean', 'forest'])
    .describe('The colours that the owner chose'),
  cover_image_url: z.url().nullable().describe('A wide picture above the profile'),
  social_links: z
    .array(
      z.strictObject({
        platform: z.string().describe('The name of the site, such as `instagram`'),
        url: z.url().describe('The page of the owner there'),
      }),
    )
    .describe('Other pages of the owner'),
  home_country: z.enum(['KE', 'UG']).describe('ISO 3166. The host of this country holds the money'),
  accepts_payments: z.boolean().describe('Whether the owner takes payments'),
})
export type ProfileView = z.infer<typeof profileSchema>

/** The `{handle}` of a route. Fault: invalid_request, before any look-up. */
export function readHandle(text: string): string {
  return isHandle(text) ? text : refuseField('handle', handleRule)
}
