import { z } from 'zod'

export interface MpesaSettings {
  /** `https://api.safaricom.co.ke`, without a slash at the end. */
  readonly baseUrl: string
  readonly consumerKey: string
  readonly consumerSecret: string
  readonly shortcode: string
  readonly passkey: string
}

const variables = z.object({
  MPESA_BASE_URL: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  MPESA_CONSUMER_KEY: z.string().min(1),
  MPESA_CONSUMER_SECRET: z.string().min(1),
  MPESA_SHORTCODE: z.string().regex(/^\d{5,7}$/, 'must be 5 to 7 digits'),
  MPESA_PASSKEY: z.string().min(1),
})

/** The rail's part of a process's environment. */
export const mpesaVariables = {
  names: Object.keys(variables.shape),
  schema: variables.transform((read): MpesaSettings => ({
    baseUrl: read.MPESA_BASE_URL,
    consumerKey: read.MPESA_CONSUMER_KEY,
    consumerSecret: read.MPESA_CONSUMER_SECRET,
    shortcode: read.MPESA_SHORTCODE,
    passkey: read.MPESA_PASSKEY,
  })),
}
