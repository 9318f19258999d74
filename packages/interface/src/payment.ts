import type { MobileRail } from '@malipo/kernel/countries'
import { z } from 'zod'
import {
  currencySchema,
  intentIdSchema,
  intentStatusSchema,
  minorSchema,
  railSchema,
} from './fields'
import { phoneSchema } from './phone'

/** `POST /v1/payments/public/checkouts/{id}/pay`, on a host with these rails. */
export function payCheckoutSchema(rails: readonly [MobileRail, ...MobileRail[]]) {
  return z.strictObject({ phone: phoneSchema, rail: z.enum(rails).optional() })
}

/** `data` when a prompt was asked for. */
export const paymentSchema = z.strictObject({
  intent_id: intentIdSchema,
  status: intentStatusSchema,
  amount: minorSchema.describe(
    'The amount of the checkout, or as sent for a handle. M-PESA takes whole shillings: the phone is asked for the next hundred',
  ),
  currency: currencySchema,
  /** Of the attempt, which is a card's when one is in progress. */
  rail: railSchema,
  message: z.string(),
})
export type PaymentView = z.infer<typeof paymentSchema>

/** `data` of `GET /v1/payments/public/intents/{id}`: four fields, and no phone, receipt or time. */
export const intentSchema = z.strictObject({
  intent_id: intentIdSchema,
  status: intentStatusSchema,
  amount_settled: minorSchema.describe(
    'What was received; `0` until money came. Over M-PESA an amount with cents is received as the next hundred',
  ),
  currency: currencySchema,
})
export type IntentView = z.infer<typeof intentSchema>
