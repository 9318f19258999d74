import { z } from 'zod'

/** The version of the payment call: v2 signs its messages. Tokens and enquiries are the same in both. */
export const apiVersions = ['v1', 'v2'] as const
export type ApiVersion = (typeof apiVersions)[number]

export interface AirtelMoneySettings {
  /** `https://openapi.airtel.ug`, without a slash at the end. */
  readonly baseUrl: string
  readonly apiVersion: ApiVersion
  readonly clientId: string
  readonly clientSecret: string
  /** The key of the callbacks' HMAC, if callback authentication is enabled in Airtel's portal. */
  readonly callbackKey?: string | undefined
  /** Whether Airtel lets this application order refunds by API. If not, operators refund in the portal. */
  readonly refunds: boolean
}

const variables = z.object({
  AIRTEL_BASE_URL: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  AIRTEL_API_VERSION: z.enum(apiVersions, 'must be v1, or v2, which signs').default('v1'),
  AIRTEL_CLIENT_ID: z.string().min(1),
  AIRTEL_CLIENT_SECRET: z.string().min(1),
  AIRTEL_CALLBACK_KEY: z.string().min(1).optional(),
  AIRTEL_REFUNDS: z.enum(['true', 'false'], 'must be true or false').default('false'),
})

/** The rail's part of a process's environment. */
export const airtelMoneyVariables = {
  names: Object.keys(variables.shape),
  schema: variables.transform((read): AirtelMoneySettings => ({
    baseUrl: read.AIRTEL_BASE_URL,
    apiVersion: read.AIRTEL_API_VERSION,
    clientId: read.AIRTEL_CLIENT_ID,
    clientSecret: read.AIRTEL_CLIENT_SECRET,
    callbackKey: read.AIRTEL_CALLBACK_KEY,
    refunds: read.AIRTEL_REFUNDS === 'true',
  })),
}
