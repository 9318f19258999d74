import type { ProviderCause } from '@malipo/kernel/provider-fact'

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
