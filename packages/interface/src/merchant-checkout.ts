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
  reference: textSchema(64)
    .optional()
    .describe(
      'Your own number of the order. The payer page does not show it. Of control characters it may have tabs and line breaks only',
    ),
  description: textSchema(140)
    .optional()
    .describe(
      'What is paid for. The payer page shows it, on one line. Of control characters it may have tabs and line breaks only',
    ),
  return_url: returnUrlSchema
    .optional()
    .describe(
      'https. The payer page sends the payer here after the payment, with `checkout`, `reference` and `status` in the query',
    ),
  phone: phoneSchema
    .optional()
    .describe('The phone that the payer page suggests. The payer can change it'),
})

/** The fields of a checkout that may have tabs and line breaks. */
export const textsOfLines = ['reference', 'description'] as const

export type CreateCheckoutBody = z.infer<typeof createCheckoutSchema>

const paymentSchema = z.strictObject({
  intent_id: intentIdSchema.describe('The id of this payment attempt'),
  status: intentStatusSchema.describe(
    'Why a checkout is still open. Deliver on the `status` of the checkout, never on this one',
  ),
  amount_settled: minorSchema
    .nullable()
    .describe(
      'What was received. Null until money came. Over M-PESA, which takes whole shillings, it is `amount` rounded up to the next hundred',
    ),
  provider_receipt: z
    .string()
    .nullable()
    .describe('The receipt of the mobile-money provider. Null until money came'),
  phone: z
    .string()
    .describe('Digits with the country code; empty when the payer gave none, as by card'),
})

/** The merchant's view of a checkout: without the phone of the create call and without Pay Bill numbers. */
export const merchantCheckoutSchema = z.strictObject({
  id: checkoutIdSchema.describe('`cs_ke_` or `cs_ug_` and 24 hex characters'),
  url: z.url().describe('The page to send the payer to'),
  status: checkoutStatusSchema.describe('Deliver when it is `completed`, and only then'),
  amount: minorSchema.describe('Minor units in text: `150000` is 1,500.00'),
  currency: currencySchema.describe('The currency of the host'),
  reference: z.string().nullable().describe('As sent at create. The payer page does not show it'),
  description: z.string().nullable().describe('As sent at create. The payer page shows it'),
  return_url: z.string().nullable().describe('As sent at create'),
  expires_at: instantSchema.describe(
    'From then on the checkout expires, unless a payment is in progress',
  ),
  created_at: instantSchema.describe('The time of the create call, UTC'),
  payment: paymentSchema
    .nullable()
    .describe('The attempt that settled it, else the newest; null before the first'),
})
export type MerchantCheckoutView = z.infer<typeof merchantCheckoutSchema>
