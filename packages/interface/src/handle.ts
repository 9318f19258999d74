import type { MobileRail } from '@malipo/kernel/countries'
import type { Minor } from '@malipo/kernel/money'
import { z } from 'zod'
import { currencySchema, minorSchema, railSchema } from './fields'
import { phoneSchema } from './phone'

/** `data` of `GET /v1/payments/public/handles/{handle}`: whom a handle pays, and how this host collects. */
export const resolvedHandleSchema = z.strictObject({
  /** The name in the URL as its owner writes it; on a link it differs from `username`. */
  name: z.string(),
  username: z.string(),
  title: z.string().nullable(),
  /** Suggested; the payer may pay another amount. */
  amount: minorSchema.nullable(),
  display_name: z.string(),
  profile_image_url: z.url().nullable(),
  /** ISO 3166: the host of this country holds the money. */
  home_country: z.enum(['KE', 'UG']),
  /** False: ask the host of `home_country`. The money fields are null here then. */
  served_here: z.boolean(),
  currency: currencySchema.nullable(),
  rail: railSchema.nullable(),
  min: minorSchema.nullable(),
  max: minorSchema.nullable(),
  paybill: z.string().nullable(),
  accepting: z.boolean(),
})
export type ResolvedHandleView = z.infer<typeof resolvedHandleSchema>

export const handleRule = 'must be 1 to 64 letters, digits, dots, dashes or underscores'
/** A username or the address of a link. */
export const handleSchema = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, handleRule)

/** `POST /v1/payments/public/checkout`, on a host with these rails. */
export function payHandleSchema(rails: readonly [MobileRail, ...MobileRail[]]) {
  return z.strictObject({
    handle: handleSchema,
    amount: amountSchema,
    phone: phoneSchema,
    rail: z.enum(rails).optional(),
  })
}

const wholeMinor = 'must be whole minor units, at least 1'

/**
 * A number or a text of digits, and the same for both: at least 1, and no more than a number can say exactly. What is
 * beyond the limits of the country is answered after this.
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
