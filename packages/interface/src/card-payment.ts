import { z } from 'zod'
import {
  instantSchema,
  intentIdSchema,
  intentStatusSchema,
  minorSchema,
  textSchema,
} from './fields'
import { phoneSchema } from './phone'

/** `POST /v1/payments/public/checkouts/{id}/card`: what the payer may give, for the card gateway only. */
export const payByCardSchema = z.strictObject({
  payer_name: textSchema(100)
    .optional()
    .describe('Passed on to the card gateway. It may have no control characters'),
  payer_email: z
    .email('must be an email address')
    .max(254)
    .optional()
    .describe('Passed on to the card gateway'),
  phone: phoneSchema.optional().describe('Passed on to the card gateway'),
})

/** `data` when a card payment was started. The payer is charged `total`, and the merchant receives `amount`. */
export const cardPaymentSchema = z.strictObject({
  intent_id: intentIdSchema.describe('Read it with the intent route'),
  status: intentStatusSchema.describe('Where the payment attempt stands'),
  amount: minorSchema.describe('What the merchant receives, in minor units'),
  fee: minorSchema.describe('Added for the payer, in minor units'),
  total: minorSchema.describe('What the card is charged: `amount` and `fee`'),
  session_id: z
    .string()
    .nullable()
    .describe(
      'The id of the page at the card gateway. Null until there is one, and when none could be opened',
    ),
  redirect_url: z
    .url()
    .describe(
      'Send the payer here. It leads on to the page of the card gateway, or back to the checkout when that page is closed',
    ),
  expires_at: instantSchema.describe('When the page of the card gateway closes'),
})
export type CardPaymentView = z.infer<typeof cardPaymentSchema>
