import type { ProviderCause } from '@malipo/kernel/provider-fact'
import { readJson } from '../exchange'
import { answer, type Answer } from './wire'

/**
 * Airtel's codes (providers.md 4; the error pages of developers.airtel.ug as integrators transcribed them). On an
 * enquiry they only say why a payment failed, because sources disagree about them: an older list of the Zambian portal
 * calls 1006 "completed" and 1024 "under processing". The verdict is the transaction's own status.
 */
const causes = new Map<string, ProviderCause>([
  ['DP00800001002', 'wrong_pin'],
  ['DP00800001003', 'over_limit'],
  ['DP00800001004', 'over_limit'],
  // "Transaction ID is invalid", and its description: the user did not enter the PIN.
  ['DP00800001005', 'no_answer'],
  // Sources disagree: "completed", or "in process". It has come with a failed transaction.
  ['DP00800001006', 'refused'],
  ['DP00800001007', 'no_funds'],
  // "The transaction was refused". Airtel does not name who refused; only the payer was asked.
  ['DP00800001008', 'cancelled'],
  // "Do not honor": a refusal with several causes.
  ['DP00800001009', 'refused'],
  ['DP00800001010', 'refused'],
  ['DP00800001024', 'no_answer'],
  ['DP00800001026', 'refused'],
  ['DP00800001029', 'prompt_expired'],
])

export function causeOfFailure(responseCode: string): ProviderCause | undefined {
  return causes.get(responseCode)
}

/**
 * Codes on the payment call itself that prove that no prompt was sent. Left out are all that Airtel calls ambiguous
 * (1000, 1006, 1024, ESB000001, 4, 8, 14, ROUTER117) and whatever is on no list: those are enquired about.
 */
const refusals = new Map<string, ProviderCause>([
  ['DP00800001003', 'over_limit'],
  ['DP00800001004', 'over_limit'],
  ['DP00800001007', 'no_funds'],
  ['DP00800001008', 'refused'],
  ['DP00800001009', 'refused'],
  ['DP00800001010', 'refused'],
  ['DP00800001026', 'refused'],
  ['ESB000033', 'not_registered'],
  ['ESB000034', 'refused'],
  ['ESB000035', 'refused'],
  ['ESB000036', 'not_registered'],
  ['ESB000039', 'refused'],
  ['ROUTER001', 'refused'],
  ['ROUTER003', 'refused'],
  ['ROUTER005', 'refused'],
  ['ROUTER006', 'refused'],
  ['ROUTER007', 'refused'],
  ['ROUTER112', 'refused'],
  ['ROUTER119', 'refused'],
])

export function causeOfRefusal({ status }: Answer): ProviderCause | undefined {
  if (status.success) return undefined
  // The same code means "no PIN entered" on an enquiry; here the message decides.
  if (/msisdn not found/i.test(status.message)) return 'not_registered'
  return refusals.get(codeOf({ status }))
}

/** The code of the layer that knows most: the product, then the service, then the gateway. */
export function codeOf({ status }: Answer): string {
  return status.response_code || status.result_code || status.code
}

/** The API gateway refused our credentials or settings, so the payment service did not process the call. */
export function isMisconfigured({ status }: Answer): boolean {
  const code = codeOf({ status })
  return code.startsWith('ROUTER') && refusals.has(code)
}

/** Airtel is asking the payer: the code of the service says so, and that of the product, where there is one, agrees. */
export function isInProcess({ status }: Answer): boolean {
  const inProduct = status.response_code === '' || status.response_code === 'DP00800001006'
  return status.success && status.result_code === 'ESB000010' && inProduct
}

/** Airtel knows this transaction id, which is ours alone: it has the payment that we order. */
export function isDuplicate({ status }: Answer): boolean {
  return status.result_code === 'ESB000041'
}

/** The signature does not fit the body, or its key is no longer the application's. Airtel did not read the payment. */
export function isSignatureRefused({ body }: { readonly body: Uint8Array }): boolean {
  const parsed = answer.safeParse(readJson(body))
  return parsed.success && parsed.data.status.response_code === 'DP00800001026'
}

/** Airtel does not find the transaction that we asked about. */
export function isNotFound({ status }: Answer): boolean {
  return status.result_code === 'ESB000045' || status.response_code === 'DP00800001025'
}
