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
  amount_settled: minorSchema
    .nullable()
    .describe(
      'What was received. Null until money came. Over M-PESA, which takes whole shillings, it is `amount` rounded up to the next hundred',
    ),
  provider_receipt: z.string().nullable().describe('Null until money came'),
  phone: z
    .string()
    .describe('Digits with the country code; empty when the payer gave none, as by card'),
})

/** The merchant's view of a checkout: without the phone of the create call and without Pay Bill numbers. */
export const merchantCheckoutSchema = z.strictObject({
  id: checkoutIdSchema,
  url: z.url().describe('The page to send the payer to'),
  status: checkoutStatusSchema.describe('Deliver when it is `completed`, and only then'),
  amount: minorSchema,
  currency: currencySchema,
  reference: z.string().nullable(),
  description: z.string().nullable(),
  return_url: z.string().nullable(),
  expires_at: instantSchema,
  created_at: instantSchema,
  payment: paymentSchema
    .nullable()
    .describe('The attempt that settled it, else the newest; null until somebody tries'),
})
export type MerchantCheckoutView = z.infer<typeof merchantCheckoutSchema>
