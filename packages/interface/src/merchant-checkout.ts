import { z } from 'zod'
import {
  checkoutIdSchema,
  checkoutStatusSchema,
  currencySchema,
  instantSchema,
  intentIdSchema,
  intentStatusSchema,
  minorSchema,
  textSchema,
} from './fields'
import { phoneSchema } from './phone'
import { returnUrlSchema } from './return-url'

/** `POST /v1/payments/merchant/checkouts`. The limits of the country come after this: they answer 422 and not 400. */
export const createCheckoutSchema = z.strictObject({
  amount: z.int().min(1, 'must be at least 1').describe('Minor units: 100 are one major unit'),
  reference: textSchema(64).optional(),
  description: textSchema(140).optional(),
  return_url: returnUrlSchema.optional(),
  phone: phoneSchema.optional(),
})

const paymentSchema = z.strictObject({
  intent_id: intentIdSchema,
  status: intentStatusSchema,
  amount_settled: minorSchema.nullable(),
  provider_receipt: z.string().nullable(),
  phone: z.string(),
})

/** The merchant's view of a checkout: without the phone of the create call and without Pay Bill numbers. */
export const merchantCheckoutSchema = z.strictObject({
  id: checkoutIdSchema,
  url: z.url(),
  status: checkoutStatusSchema,
  amount: minorSchema,
  currency: currencySchema,
  reference: z.string().nullable(),
  description: z.string().nullable(),
  return_url: z.string().nullable(),
  expires_at: instantSchema,
  created_at: instantSchema,
  payment: paymentSchema.nullable(),
})
export type MerchantCheckoutView = z.infer<typeof merchantCheckoutSchema>
