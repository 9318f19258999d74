import type { MobileRail } from '@malipo/kernel/countries'
import type { Minor } from '@malipo/kernel/money'
import { z } from 'zod'
import { currencySchema, minorSchema, railSchema } from './fields'
import { railText } from './payment'
import { phoneSchema } from './phone'

/** `data` of `GET /v1/payments/public/handles/{handle}`: the payee of a handle, and how this host collects. */
export const resolvedHandleSchema = z.strictObject({
  name: z
    .string()
    .describe('The name in the URL as its owner writes it; on a link it differs from `username`'),
  username: z.string().describe('The owner of the account'),
  title: z.string().nullable().describe('The title of a link. Null on a username or an open link'),
  amount: minorSchema
    .nullable()
    .describe('A suggestion in minor units; the payer may pay another amount'),
  display_name: z.string().describe('How the owner wants to be named'),
  profile_image_url: z.url().nullable().describe('A picture of the owner'),
  home_country: z.enum(['KE', 'UG']).describe('ISO 3166. The host of this country holds the money'),
  served_here: z
    .boolean()
    .describe('False: ask the host of `home_country`. The money fields are null then'),
  currency: currencySchema.nullable().describe('What this host collects'),
  rail: railSchema.nullable().describe('The mobile-money rail of this host'),
  min: minorSchema.nullable().describe('The smallest amount, in minor units'),
  max: minorSchema.nullable().describe('The largest amount, in minor units'),
  paybill: z
    .string()
    .nullable()
    .describe('The Pay Bill business number; the account number to type is `name`'),
  accepting: z.boolean().describe('Whether a payment can be made now'),
})
export type ResolvedHandleView = z.infer<typeof resolvedHandleSchema>

export const handleRule = 'must be 1 to 64 letters, digits, dots, dashes or underscores'
/** A username or the address of a link. */
export const handleSchema = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, handleRule)

/** `POST /v1/payments/public/checkout`, on a host with these rails. */
export function payHandleSchema(rails: readonly [MobileRail, ...MobileRail[]]) {
  return z.strictObject({
    handle: handleSchema.describe('A username or the address of a link'),
    amount: amountSchema.describe('Minor units, as an integer or in text'),
    phone: phoneSchema.describe('The phone that gets the prompt'),
    rail: z.enum(rails).optional().describe(railText(rails)),
  })
}

const wholeMinor = 'must be whole minor units, at least 1'

/**
 * A number or a text of digits, with the same bounds: at least 1, and at most what a JSON number can say exactly. The
 * limits of the country are checked after this.
 */
const amountSchema = z
  .union(
    [z.int(wholeMinor).min(1, wholeMinor), z.string().regex(/^[1-9][0-9]{0,15}$/, wholeMinor)],
    {
      error: ({ input }) => (input === undefined ? 'is required' : wholeMinor),
    },
  )
  .transform((amount): Minor => BigInt(amount))
  .refine((minor) => minor <= exactMax, 'is too large')

const exactMax = BigInt(Number.MAX_SAFE_INTEGER)
