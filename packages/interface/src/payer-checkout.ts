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
  id: checkoutIdSchema.describe('The id of the checkout'),
  status: checkoutStatusSchema.describe('`open` can be paid; `completed` is paid'),
  amount: minorSchema.describe('Minor units in text. The payer cannot change it'),
  currency: currencySchema.describe('The currency of the host'),
  description: z.string().nullable().describe('What is paid for, as the merchant wrote it'),
  phone: z.string().nullable().describe('As the merchant sent it; the payer may use another'),
  intent_id: intentIdSchema
    .nullable()
    .describe('The attempt that settled it, else the one in flight'),
  return_url: z.string().nullable().describe('Where the shop wants the payer back'),
  redirect_url: z
    .string()
    .nullable()
    .describe(
      'The `return_url` with `checkout`, `reference` and `status`. Null until it is paid, and without a `return_url`',
    ),
  paybill: z
    .strictObject({
      business_number: z.string().describe('What the payer types as the business number'),
      account_number: z
        .string()
        .describe('What the payer types as the account number: `CS` and 8 digits'),
    })
    .nullable()
    .describe(
      'For the M-PESA menu, which takes whole shillings: the payer of an `amount` with cents types the next hundred',
    ),
  card: z
    .strictObject({
      fee: minorSchema.describe('Added for the payer, in minor units'),
      total: minorSchema.describe('What the card is charged: `amount` and `fee`'),
    })
    .nullable()
    .describe('Null where it cannot be paid by card'),
  expires_at: instantSchema.describe('From then on it expires, unless a payment is in progress'),
})

/** `data` of `GET /v1/payments/public/checkouts/{id}`. */
export const readCheckoutSchema = z.strictObject({
  checkout: payerCheckoutSchema.describe('The checkout as the payer sees it'),
  payee: z
    .strictObject({
      paybill: z.null().describe('Always null here: use `checkout.paybill`'),
      amount: minorSchema.describe('The amount of the checkout, in minor units'),
    })
    .describe('Who is paid, in the shape of the handle route'),
})
export type ReadCheckoutView = z.infer<typeof readCheckoutSchema>
