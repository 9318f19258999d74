import { z } from 'zod'

export interface MpesaSettings {
  /** `https://api.safaricom.co.ke`, without a slash at the end. */
  readonly baseUrl: string
  readonly consumerKey: string
  readonly consumerSecret: string
  /** The Pay Bill number; with a till, the number of its store, which signs prompts. */
  readonly shortcode: string
  /** The till (Buy Goods) that is paid. Absent, the Pay Bill number is. */
  readonly till?: string | undefined
  readonly passkey: string
  /** The initiator of reversals. Without one, operators refund in the portal and record it. */
  readonly operator?: MpesaOperator | undefined
}

export interface MpesaOperator {
  readonly initiator: string
  /** The operator's password, encrypted with Safaricom's certificate, in base64. */
  readonly securityCredential: string
}

const variables = z.object({
  MPESA_BASE_URL: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  MPESA_CONSUMER_KEY: z.string().min(1),
  MPESA_CONSUMER_SECRET: z.string().min(1),
  MPESA_SHORTCODE: z.string().regex(/^\d{5,7}$/, 'must be 5 to 7 digits'),
  MPESA_TILL: z
    .string()
    .regex(/^\d{5,7}$/, 'must be 5 to 7 digits')
    .optional(),
  MPESA_PASSKEY: z.string().min(1),
  MPESA_INITIATOR: z.string().min(1).optional(),
  MPESA_SECURITY_CREDENTIAL: z
    .base64('must be base64: npm run operate -- provider encrypt makes it of the password')
    .min(1)
    .optional(),
})

/** The number that payers pay to, and that the statement is of. */
export function receivingNumber({ shortcode, till }: MpesaSettings): string {
  return till ?? shortcode
}

/** The rail's part of a process's environment. */
export const mpesaVariables = {
  names: Object.keys(variables.shape),
  schema: variables
    .refine(isOperatorWhole, {
      path: ['MPESA_SECURITY_CREDENTIAL'],
      message: 'goes with MPESA_INITIATOR',
    })
    .transform((read): MpesaSettings => ({
      baseUrl: read.MPESA_BASE_URL,
      consumerKey: read.MPESA_CONSUMER_KEY,
      consumerSecret: read.MPESA_CONSUMER_SECRET,
      shortcode: read.MPESA_SHORTCODE,
      till: read.MPESA_TILL,
      passkey: read.MPESA_PASSKEY,
      operator: operatorOf(read),
    })),
}

type Read = z.output<typeof variables>

function isOperatorWhole(read: Read): boolean {
  return (read.MPESA_INITIATOR === undefined) === (read.MPESA_SECURITY_CREDENTIAL === undefined)
}

function operatorOf(read: Read): MpesaOperator | undefined {
  const { MPESA_INITIATOR: initiator, MPESA_SECURITY_CREDENTIAL: securityCredential } = read
  if (initiator === undefined || securityCredential === undefined) return undefined
  return { initiator, securityCredential }
}
