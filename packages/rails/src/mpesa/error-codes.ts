import type { ProviderCause } from '@malipo/kernel/provider-fact'
import type { ErrorAnswer } from './wire'

export type ErrorMeaning =
  | { readonly kind: 'token_refused' }
  /** Refused for the rate before it was processed, so it can be sent again. */
  | { readonly kind: 'throttled' }
  /** A status query came too early. */
  | { readonly kind: 'processing' }
  /** The request was read and will not be carried out: no prompt was sent. */
  | { readonly kind: 'refused'; readonly cause: ProviderCause }

interface Row {
  readonly code: string
  readonly message: RegExp
  readonly meaning: ErrorMeaning
}

const tokenRefused = { kind: 'token_refused' } as const
const refused = (cause: ProviderCause) => ({ kind: 'refused', cause }) as const

/**
 * Daraja's synchronous errors that prove something (README.md; portal of 28 December 2025). Code and message
 * count together: 500.001.1001 alone is three refusals and one "please wait". Everything else, above all
 * 500.003.1001 "Internal Server Error", leaves open whether the phone rings.
 */
const rows: readonly Row[] = [
  { code: '404.001.03', message: /access token/i, meaning: tokenRefused },
  { code: '400.003.01', message: /access token/i, meaning: tokenRefused },
  { code: '401.003.01', message: /access token/i, meaning: tokenRefused },
  { code: '401.001', message: /access token/i, meaning: tokenRefused },
  { code: '500.003.02', message: /spike arrest|system is busy/i, meaning: { kind: 'throttled' } },
  { code: '500.003.03', message: /quota violation/i, meaning: refused('busy') },
  { code: '500.001.1001', message: /being processed/i, meaning: { kind: 'processing' } },
  { code: '500.001.1001', message: /lock subscriber/i, meaning: refused('session_open') },
  { code: '500.001.1001', message: /wrong credentials/i, meaning: refused('refused') },
  { code: '500.001.1001', message: /merchant does not exist/i, meaning: refused('refused') },
  { code: '400.002.02', message: /invalid phonenumber/i, meaning: refused('not_registered') },
  { code: '400.002.02', message: /bad request/i, meaning: refused('refused') },
  { code: '400.002.05', message: /invalid request payload/i, meaning: refused('refused') },
  { code: '404.001.01', message: /resource not found/i, meaning: refused('refused') },
  { code: '404.001.04', message: /authentication header/i, meaning: refused('refused') },
  { code: '405.001', message: /method not allowed/i, meaning: refused('refused') },
]

export function meaningOfError(error: ErrorAnswer): ErrorMeaning | undefined {
  return rows.find((row) => row.code === error.code && row.message.test(error.message))?.meaning
}

/** The status query does not find the prompt by its CheckoutRequestID. */
export function isNotFound({ code, message }: ErrorAnswer): boolean {
  return code === '404.001.01' || (code === '400.002.02' && /checkoutrequestid/i.test(message))
}
