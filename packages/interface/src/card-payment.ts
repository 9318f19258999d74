import { z } from 'zod'
import {
  instantSchema,
  intentIdSchema,
  intentStatusSchema,
  minorSchema,
  textSchema,
} from './fields'
import { phoneSchema } from './phone'

/** `POST /v1/payments/public/checkouts/{id}/card`: what the payer may tell the card gateway, and nobody else. */
export const payByCardSchema = z.strictObject({
  payer_name: textSchema(100).optional(),
  payer_email: z.email('must be an email address').max(254).optional(),
  phone: phoneSchema.optional(),
})

/** `data` when a card payment was started. The payer is charged `total`, and the merchant receives `amount`. */
export const cardPaymentSchema = z.strictObject({
  intent_id: intentIdSchema,
  status: intentStatusSchema,
  amount: minorSchema,
  fee: minorSchema,
  total: minorSchema,
  /** The gateway's id of the page; null until it has opened one, and when it could not. */
  session_id: z.string().nullable(),
  /** Where the payer's browser goes to pay; it leads on to the page, or back to the checkout when that is over. */
  redirect_url: z.url(),
  /** When the page closes. */
  expires_at: instantSchema,
})
export type CardPaymentView = z.infer<typeof cardPaymentSchema>
