import type { ProviderCause } from '@malipo/kernel/provider-fact'

/**
 * Why a request to pay has failed (providers.md 3.5, MTN's schema of 25 July 2026, and the portal's update of the
 * reasons). FAILED is final with any reason or none: the reason only decides what the payer is shown, so one without a
 * row counts as `refused`.
 */
const reasons = new Map<string, ProviderCause>([
  ['APPROVAL_REJECTED', 'cancelled'],
  ['PAYMENT_NOT_APPROVED', 'cancelled'],
  ['TRANSACTION_CANCELED', 'cancelled'],
  ['EXPIRED', 'prompt_expired'],
  // "Transaction time out due to not inputting the PIN" (portal, update of the reasons).
  ['COULD_NOT_PERFORM_TRANSACTION', 'no_answer'],
  ['NOT_ENOUGH_FUNDS', 'no_funds'],
  // What production in Uganda says of an empty wallet (lepresk/momo-api 1.4.0, and other public clients).
  ['LOW_BALANCE_OR_PAYEE_LIMIT_REACHED_OR_NOT_ALLOWED', 'no_funds'],
  // The catch-all, "the most prevalent being a lack of sufficient funds" (portal): the likeliest is what helps most.
  ['INTERNAL_PROCESSING_ERROR', 'no_funds'],
  ['PAYER_LIMIT_REACHED', 'over_limit'],
  ['PAYER_NOT_FOUND', 'not_registered'],
  // "Blocked payer account".
  ['SENDER_ACCOUNT_NOT_ACTIVE', 'locked'],
  ['SERVICE_UNAVAILABLE', 'busy'],
])

export function causeOfReason(reason: string): ProviderCause {
  return reasons.get(reason) ?? 'refused'
}

/** Reasons may also be errors on a request to pay: MTN's schema gives both the same values. */
export function isListedReason(reason: string): boolean {
  return reasons.has(reason) || refusals.has(reason)
}

/**
 * MTN's errors on a request to pay that prove that it was read and turned down (providers.md 3.6). Errors of our own
 * configuration come as HTTP 500, so the code counts and not the status. INTERNAL_PROCESSING_ERROR and
 * SERVICE_UNAVAILABLE are left out: after them the payer may still be prompted.
 */
const refusals = new Map<string, ProviderCause>([
  ['NOT_ALLOWED', 'refused'],
  ['NOT_ALLOWED_TARGET_ENVIRONMENT', 'refused'],
  ['INVALID_CALLBACK_URL_HOST', 'refused'],
  ['INVALID_CURRENCY', 'refused'],
  ['PAYEE_NOT_FOUND', 'refused'],
  ['PAYEE_NOT_ALLOWED_TO_RECEIVE', 'refused'],
  ['PAYER_NOT_FOUND', 'not_registered'],
])

/** Statuses of MTN's API gateway (malformed, unauthorised, wrong address); the call was not processed. */
const refusedUnread = new Set([400, 401, 403])

export function causeOfError(status: number, code: string): ProviderCause | undefined {
  return refusals.get(code) ?? (refusedUnread.has(status) ? 'refused' : undefined)
}

/** The code with which MTN does not find a reference; it has come for payments that MTN had accepted, too. */
export const notFound = 'RESOURCE_NOT_FOUND'
