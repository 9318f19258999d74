import { textSchema } from '@malipo/interface/fields'
import { countries } from '@malipo/kernel/countries'
import { isHandle } from '@malipo/kernel/ids'
import { z } from 'zod'
import { themes } from './rules/account'
import { hasUnseenBesideNewLines, hasUnseenCharacters, isPlainHttps } from '../handles/rules/text'

/** The fields of an account in a request, each with the message for a wrong value. */

const unseen = 'has characters that cannot be seen'

export const requestIdSchema = z.string().min(1).max(64)

export const handleSchema = z
  .string()
  .refine(isHandle, 'must be 1 to 64 letters, digits, dots, dashes or underscores')

export const displayNameSchema = lineSchema(64)
export const linkTitleSchema = lineSchema(64)

export const bioSchema = z
  .string()
  .refine((text) => [...text].length <= 280, 'must be at most 280 characters')
  .refine((text) => !hasUnseenBesideNewLines(text), unseen)

export const themeSchema = z.enum(themes)
/** Proto has no absent text, so a request without a theme has an empty one. */
export const themeOrDefaultSchema = themeSchema.or(z.literal('').transform(() => 'light' as const))

const httpsSchema = z
  .string()
  .refine(isPlainHttps, 'must be an https address of at most 2048 characters')

export const pictureSchema = httpsSchema.optional().transform((url) => url ?? null)

export const socialLinksSchema = z
  .array(
    z.object({
      platform: z.string().regex(/^[a-z][a-z0-9_-]{0,31}$/, 'must be a word in small letters'),
      url: httpsSchema,
    }),
  )
  .max(10, 'must be at most 10 links')

export const homeCountrySchema = z.enum(Object.keys(countries) as (keyof typeof countries)[])

/** A password that is long enough to resist guessing. Its length is bounded, because hashing costs time. */
export const passwordSchema = z
  .string()
  .refine((text) => [...text].length >= 10, 'must be at least 10 characters')
  .refine((text) => [...text].length <= 128, 'must be at most 128 characters')

export const pinSchema = z.string().regex(/^[0-9]{4,8}$/, 'must be 4 to 8 digits')

function lineSchema(lengthMax: number) {
  return textSchema(lengthMax)
    .refine((text) => text.trim() !== '', 'is required')
    .refine((text) => !hasUnseenCharacters(text), unseen)
}
