import { z } from 'zod'

export interface MpesaSettings {
  /** `https://api.safaricom.co.ke`, without a slash at the end. */
  readonly baseUrl: string
  readonly consumerKey: string
  readonly consumerSecret: string
  readonly shortcode: string
  readonly passkey: string
}

/** The rail's part of a process's environment: all of it, or none of it and the rail is off. */
export const mpesaVariables = z
  .object({
    MPESA_BASE_URL: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
    MPESA_CONSUMER_KEY: z.string().min(1),
    MPESA_CONSUMER_SECRET: z.string().min(1),
    MPESA_SHORTCODE: z.string().regex(/^\d{5,7}$/, 'must be 5 to 7 digits'),
    MPESA_PASSKEY: z.string().min(1),
  })
  .transform(
    (variables): MpesaSettings => ({
      baseUrl: variables.MPESA_BASE_URL,
      consumerKey: variables.MPESA_CONSUMER_KEY,
      consumerSecret: variables.MPESA_CONSUMER_SECRET,
      shortcode: variables.MPESA_SHORTCODE,
      passkey: variables.MPESA_PASSKEY,
    }),
  )
