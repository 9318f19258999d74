import { settings, settingsIn, webUrl, whole } from '@malipo/runtime/env'
import { z } from 'zod'

const number = z.string().regex(/^\d{5,7}$/, 'must be 5 to 7 digits')

const shape = {
  /** `https://api.safaricom.co.ke`, without a slash at the end. */
  baseUrl: ['MPESA_BASE_URL', webUrl],
  consumerKey: ['MPESA_CONSUMER_KEY', z.string().min(1)],
  consumerSecret: ['MPESA_CONSUMER_SECRET', z.string().min(1)],
  /** The Pay Bill number; with a till, the number of its store, which signs prompts. */
  shortcode: ['MPESA_SHORTCODE', number],
  /** The till (Buy Goods) that payers pay to. Without a till they pay to the Pay Bill number. */
  till: ['MPESA_TILL', number.optional()],
  passkey: ['MPESA_PASSKEY', z.string().min(1)],
  /** The initiator of reversals. Without one, operators refund in the portal and record it. */
  operator: {
    initiator: ['MPESA_INITIATOR', z.string().min(1).optional()],
    /** The operator's password, encrypted with Safaricom's certificate, in base64. */
    securityCredential: [
      'MPESA_SECURITY_CREDENTIAL',
      z
        .base64('must be base64: npm run operate -- provider encrypt makes it of the password')
        .min(1)
        .optional(),
    ],
  },
} as const

export const mpesaVariables = {
  names: settingsIn(shape).map(([name]) => name),
  schema: settings(shape)
    .refine(
      ({ operator: { initiator, securityCredential } }) =>
        (initiator === undefined) === (securityCredential === undefined),
      { path: ['MPESA_SECURITY_CREDENTIAL'], message: 'goes with MPESA_INITIATOR' },
    )
    .transform(({ operator, ...read }) => ({
      ...read,
      operator: whole(operator, ['initiator', 'securityCredential']),
    })),
}

type Read = z.output<typeof mpesaVariables.schema>
export type MpesaOperator = NonNullable<Read['operator']>
export interface MpesaSettings extends Omit<Read, 'till' | 'operator'> {
  readonly till?: string | undefined
  readonly operator?: MpesaOperator | undefined
}

/** The number that payers pay to, and whose statement is read. */
export function receivingNumber({ shortcode, till }: MpesaSettings): string {
  return till ?? shortcode
}
