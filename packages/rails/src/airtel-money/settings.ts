import { settings, settingsIn, webUrl } from '@malipo/runtime/env'
import { z } from 'zod'

const shape = {
  /** `https://openapi.airtel.ug`, without a slash at the end. */
  baseUrl: ['AIRTEL_BASE_URL', webUrl],
  /** The version of the payment call: v2 signs its messages. Tokens and enquiries are the same in both. */
  apiVersion: [
    'AIRTEL_API_VERSION',
    z.enum(['v1', 'v2'], 'must be v1, or v2, which signs').default('v1'),
  ],
  clientId: ['AIRTEL_CLIENT_ID', z.string().min(1)],
  clientSecret: ['AIRTEL_CLIENT_SECRET', z.string().min(1)],
  /** The key of the callbacks' HMAC, if callback authentication is enabled in Airtel's portal. */
  callbackKey: ['AIRTEL_CALLBACK_KEY', z.string().min(1).optional()],
  /** Whether Airtel lets this application order refunds by API. If not, operators refund in the portal. */
  refunds: [
    'AIRTEL_REFUNDS',
    z
      .enum(['true', 'false'], 'must be true or false')
      .default('false')
      .transform((text) => text === 'true'),
  ],
} as const

export const airtelMoneyVariables = {
  names: settingsIn(shape).map(([name]) => name),
  schema: settings(shape),
}

type Read = z.output<typeof airtelMoneyVariables.schema>
export interface AirtelMoneySettings extends Omit<Read, 'callbackKey'> {
  readonly callbackKey?: string | undefined
}
