import { isCheckoutId, type CheckoutId } from '@malipo/kernel/ids'
import { z } from 'zod'
import { refuseField } from './validate'

/** The fields that several objects of the interface share. */

export const checkoutIdSchema = z.string().regex(/^cs_(?:ke|ug)_[0-9a-f]{24}$/)
export const checkoutIdRule = 'must be cs_ke_ or cs_ug_ and 24 hex characters'
/** The interface fixes only the prefix, so an unknown id of this shape is valid, and answered with not found. */
export const intentIdSchema = z.string().regex(/^pi_[A-Za-z0-9_-]{1,64}$/)
export const intentIdRule = 'must begin with pi_'
/** Minor units as a decimal string: the only way an answer shows money. */
export const minorSchema = z.string().regex(/^(?:0|[1-9][0-9]*)$/)
export const currencySchema = z.enum(['KES', 'UGX'])
export const instantSchema = z.iso.datetime()
export const checkoutStatusSchema = z.enum(['open', 'completed', 'expired'])
export const intentStatusSchema = z.enum([
  'created',
  'reserved',
  'submitted',
  'pending',
  'completed',
  'failed',
  'expired',
  'reversed',
])
export const railSchema = z.enum(['mpesa', 'mtn_momo', 'airtel_money', 'card', 'paybill'])

export type CheckoutStatus = z.infer<typeof checkoutStatusSchema>
export type IntentStatus = z.infer<typeof intentStatusSchema>

/** A text whose length is counted in characters, not in the halves that JavaScript counts an emoji as. */
export function textSchema(lengthMax: number) {
  return z
    .string()
    .refine(
      (text) => text !== '' && [...text].length <= lengthMax,
      `must be 1 to ${String(lengthMax)} characters`,
    )
    .meta({ minLength: 1, maxLength: lengthMax })
}

/** The `{id}` of a checkout route. Fault: invalid_request, before any look-up. */
export function readCheckoutId(text: unknown): CheckoutId {
  return typeof text === 'string' && isCheckoutId(text) ? text : refuseField('id', checkoutIdRule)
}

/** The `{id}` of the intent route. Fault: invalid_request. */
export function readIntentId(text: unknown): string {
  const id = intentIdSchema.safeParse(text)
  return id.success ? id.data : refuseField('id', intentIdRule)
}
