import { z } from 'zod'
import {
  checkoutIdSchema,
  checkoutStatusSchema,
  currencySchema,
  instantSchema,
  intentIdSchema,
  minorSchema,
} from './fields'

/** The payer's view of a checkout: without the reference, the receipt and the phone of the attempt. */
export const payerCheckoutSchema = z.strictObject({
  id: checkoutIdSchema,
  status: checkoutStatusSchema,
  amount: minorSchema,
  currency: currencySchema,
  description: z.string().nullable(),
  phone: z.string().nullable().describe('As the merchant sent it; the payer may use another'),
  intent_id: intentIdSchema
    .nullable()
    .describe('The attempt that settled it, else the one in flight'),
  return_url: z.string().nullable(),
  redirect_url: z
    .string()
    .nullable()
    .describe('Set once it is paid, where there is a `return_url`'),
  paybill: z
    .strictObject({ business_number: z.string(), account_number: z.string() })
    .nullable()
    .describe(
      'For the M-PESA menu, which takes whole shillings: the payer of an `amount` with cents types the next hundred',
    ),
  card: z
    .strictObject({ fee: minorSchema, total: minorSchema })
    .nullable()
    .describe('Null where it cannot be paid by card'),
  expires_at: instantSchema,
})

/** `data` of `GET /v1/payments/public/checkouts/{id}`. */
export const readCheckoutSchema = z.strictObject({
  checkout: payerCheckoutSchema,
  payee: z.strictObject({ paybill: z.null(), amount: minorSchema }),
})
export type ReadCheckoutView = z.infer<typeof readCheckoutSchema>
