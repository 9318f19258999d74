import { z } from 'zod'

export interface CardSettings {
  /** `https://ap-gateway.mastercard.com`, or whichever host the bank names; without a slash at the end. */
  readonly baseUrl: string
  /** Stands in every path: `100`. */
  readonly version: string
  /** As the bank gave it; those for tests begin with `TEST`. */
  readonly merchantId: string
  readonly apiPassword: string
  /** What the payer reads on the gateway's page. */
  readonly merchantName: string
}

const variables = z.object({
  CARD_BASE_URL: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  CARD_API_VERSION: z.string().regex(/^\d{2,3}$/, 'must be two or three digits'),
  CARD_MERCHANT_ID: z.string().regex(/^[\w-]{1,40}$/, 'must be 1 to 40 letters, digits, - or _'),
  CARD_API_PASSWORD: z.string().min(1),
  CARD_MERCHANT_NAME: z.string().min(1).max(40),
})

/** The rail's part of a process's environment. */
export const cardVariables = {
  names: Object.keys(variables.shape),
  schema: variables.transform((read): CardSettings => ({
    baseUrl: read.CARD_BASE_URL,
    version: read.CARD_API_VERSION,
    merchantId: read.CARD_MERCHANT_ID,
    apiPassword: read.CARD_API_PASSWORD,
    merchantName: read.CARD_MERCHANT_NAME,
  })),
}
