import { settings, settingsIn, webUrl } from '@malipo/runtime/env'
import { z } from 'zod'

const shape = {
  /** `https://ap-gateway.mastercard.com`, or whichever host the bank names; without a slash at the end. */
  baseUrl: ['CARD_BASE_URL', webUrl],
  /** The version of the API in every path, such as `100`. */
  version: ['CARD_API_VERSION', z.string().regex(/^\d{2,3}$/, 'must be two or three digits')],
  /** As the bank gave it; those for tests begin with `TEST`. */
  merchantId: [
    'CARD_MERCHANT_ID',
    z.string().regex(/^[\w-]{1,40}$/, 'must be 1 to 40 letters, digits, - or _'),
  ],
  apiPassword: ['CARD_API_PASSWORD', z.string().min(1)],
  /** The name that the payer reads on the gateway's page. */
  merchantName: ['CARD_MERCHANT_NAME', z.string().min(1).max(40)],
} as const

export const cardVariables = {
  names: settingsIn(shape).map(([name]) => name),
  schema: settings(shape),
}

export type CardSettings = z.output<typeof cardVariables.schema>
