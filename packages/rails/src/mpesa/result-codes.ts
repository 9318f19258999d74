import type { ProviderCause } from '@malipo/kernel/provider-fact'
import type { ErrorAnswer } from './wire'

/**
 * What a ResultCode of an STK callback or status query means (README.md; the portal of 28 December 2025 unless
 * a line says otherwise). The list is closed: a code without a row is no verdict, because a payment that we called
 * failed and that was paid costs the payer twice. Left out for weak sources: 1036, 2029, E3008.
 */
const resultCodes = new Map<string, 'paid' | 'processing' | ProviderCause>([
  ['0', 'paid'],
  ['1', 'no_funds'],
  // 2: below the minimum of one shilling. 3: above the maximum of one payment. 4: above the payer's daily limit.
  ['2', 'over_limit'],
  ['3', 'over_limit'],
  ['4', 'over_limit'],
  // Our own account would hold too much: nothing that the payer can change.
  ['8', 'refused'],
  // "Rule limited": the same amount to the same receiver within two minutes. Community pages differ; the portal wins.
  ['17', 'too_soon'],
  // Older G2 lists.
  ['26', 'busy'],
  // Another prompt is open on the phone. In most SDK tables; officially a message of 500.001.1001.
  ['1001', 'session_open'],
  ['1019', 'prompt_expired'],
  // The prompt could not be sent; 9999 is the same in the tables of two SDKs.
  ['1025', 'busy'],
  ['9999', 'busy'],
  ['1032', 'cancelled'],
  ['1037', 'no_answer'],
  // The merchant's name or the reference is too long (osenco/osen-wc-mpesa#11).
  ['1101', 'refused'],
  // On an STK push "the initiator" is the payer, so this is the wrong PIN.
  ['2001', 'wrong_pin'],
  ['2028', 'refused'],
  ['8006', 'locked'],
  ['SFC_IC0003', 'refused'],
  // "Still under processing", in an answer that looks like every refusal (live sandbox, 17 August 2026).
  ['4999', 'processing'],
])

export function meaningOfResult(code: string): 'paid' | 'processing' | ProviderCause | undefined {
  return resultCodes.get(code)
}

/**
 * Result codes of a reversal (README.md; portal of 28 December 2025). `R000001`, already reversed, is the same to the
 * payer: the money is back. A code that is not here leaves the refund as it is.
 */
const reversed = ['0', 'R000001']
/** No funds, wrong or unentitled operator, inactive account, not permitted, locked, unknown payment. */
const refusedReversals = ['1', '11', '21', '2001', '2006', '2028', '8006', 'R000002']

export function meaningOfReversal(code: string): 'reversed' | 'refused' | undefined {
  if (reversed.includes(code)) return 'reversed'
  return refusedReversals.includes(code) ? 'refused' : undefined
}

export type ErrorMeaning =
  | { readonly kind: 'token_refused' }
  /** Refused for the rate by the gateway in front, which has not read it, so it can be sent again. */
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
 * Daraja's synchronous errors that prove something (README.md; portal of 28 December 2025). Code and message count
 * together: 500.001.1001 alone is three refusals and one "please wait". Everything else, above all 500.003.1001
 * "Internal Server Error" and the "System is busy" of 500.003.02, leaves open whether the payer is prompted.
 */
const rows: readonly Row[] = [
  { code: '404.001.03', message: /access token/i, meaning: tokenRefused },
  { code: '400.003.01', message: /access token/i, meaning: tokenRefused },
  { code: '401.003.01', message: /access token/i, meaning: tokenRefused },
  { code: '401.001', message: /access token/i, meaning: tokenRefused },
  { code: '500.003.02', message: /spike arrest/i, meaning: { kind: 'throttled' } },
  { code: '500.003.03', message: /quota violation/i, meaning: refused('busy') },
  // The gateway in front of Daraja says the same of rate and quota in its own words, with HTTP 429.
  { code: 'SpikeArrestViolation', message: /^/, meaning: { kind: 'throttled' } },
  { code: 'QuotaViolation', message: /^/, meaning: refused('busy') },
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

/** This error comes from behind the gateway. It proves nothing about a push; a repeatable call is repeated later. */
export function isSystemBusy({ code, message }: ErrorAnswer): boolean {
  return code === '500.003.02' && /system is busy/i.test(message)
}

/** The error of Pull Transactions for a short code whose statement was not granted. */
export function isShortCodeRefused({ message }: ErrorAnswer): boolean {
  return /invalid ?short ?code/i.test(message)
}

/** Pull Transactions has no payment in the window (portal, PullTransaction), where it does not answer an empty list. */
export function isNothingFound({ code, message }: ErrorAnswer): boolean {
  return code === '500' && /does not have any available transactions/i.test(message)
}

/** The status query does not find the prompt by its CheckoutRequestID. */
export function isNotFound({ code, message }: ErrorAnswer): boolean {
  return code === '404.001.01' || (code === '400.002.02' && /checkoutrequestid/i.test(message))
}
