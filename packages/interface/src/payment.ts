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
  return z.strictObject({
    phone: phoneSchema.describe('The phone that gets the prompt'),
    rail: z.enum(rails).optional().describe(railText(rails)),
  })
}

/** What a request says of its `rail`. */
export function railText([first]: readonly [MobileRail, ...MobileRail[]]): string {
  return `The mobile-money network to ask. \`${first}\` unless given`
}

/** `data` when a prompt was asked for. */
export const paymentSchema = z.strictObject({
  intent_id: intentIdSchema.describe('Read it with the intent route'),
  status: intentStatusSchema.describe('Where the payment attempt stands'),
  amount: minorSchema.describe(
    'The amount of the checkout, or as sent for a handle. M-PESA takes whole shillings: the phone is asked for the next hundred',
  ),
  currency: currencySchema.describe('The currency of the host'),
  rail: railSchema.describe(
    'The rail of the payment attempt, which is `card` when a card payment is in progress',
  ),
  message: z.string().describe('What to tell the payer, in English'),
})
export type PaymentView = z.infer<typeof paymentSchema>

/** `data` of `GET /v1/payments/public/intents/{id}`: four fields, and no phone, receipt or time. */
export const intentSchema = z.strictObject({
  intent_id: intentIdSchema.describe('The id that was asked for'),
  status: intentStatusSchema.describe(
    '`completed`, `failed`, `expired` and `reversed` are final for a page; the others are in progress',
  ),
  amount_settled: minorSchema.describe(
    'What was received; `0` until money came. Over M-PESA an amount with cents is received as the next hundred',
  ),
  currency: currencySchema.describe('The currency of the host'),
})
export type IntentView = z.infer<typeof intentSchema>
