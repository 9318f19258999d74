import type { ProviderCause } from '@malipo/kernel/provider-fact'

/**
 * Why a payment was turned down: `response.gatewayCode` (API reference, and the codes of the published test cards). The
 * list is closed: a code without a row leaves the attempt as it is.
 */
const refusals: ReadonlyMap<string, ProviderCause> = new Map<string, ProviderCause>([
  ['DECLINED', 'card_declined'],
  ['DECLINED_DO_NOT_CONTACT', 'card_declined'],
  ['DECLINED_AVS', 'card_declined'],
  ['DECLINED_CSC', 'card_declined'],
  ['DECLINED_AVS_CSC', 'card_declined'],
  ['DECLINED_PAYMENT_PLAN', 'card_declined'],
  ['DECLINED_INVALID_PIN', 'card_declined'],
  ['INVALID_CSC', 'card_declined'],
  ['REFERRED', 'card_declined'],
  ['BLOCKED', 'card_declined'],
  ['NOT_SUPPORTED', 'card_declined'],
  ['EXCEEDED_RETRY_LIMIT', 'card_declined'],
  ['EXPIRED_CARD', 'card_expired'],
  ['INSUFFICIENT_FUNDS', 'no_funds'],
  ['AUTHENTICATION_FAILED', 'card_not_authenticated'],
  ['ABORTED', 'cancelled'],
  ['CANCELLED', 'cancelled'],
  ['ACQUIRER_SYSTEM_ERROR', 'busy'],
  ['SYSTEM_ERROR', 'busy'],
  ['UNSPECIFIED_FAILURE', 'refused'],
])

export function causeOfGatewayCode(code: string): ProviderCause | undefined {
  return refusals.get(code)
}

/** The bank has not answered, or its answer was lost: the money may be on its way. */
export const openCodes: ReadonlySet<string> = new Set([
  'APPROVED_PENDING_SETTLEMENT',
  'AUTHENTICATION_IN_PROGRESS',
  'PENDING',
  'SUBMITTED',
  'TIMED_OUT',
  'UNKNOWN',
])

/** The values of `order.status` of a paid order (from the list in published clients of v100). */
export const paidStatuses: ReadonlySet<string> = new Set(['CAPTURED', 'PARTIALLY_CAPTURED'])

/** No card was charged. If the payer leaves the page now, the payment failed for this cause. */
export const unpaidStatuses: ReadonlyMap<string, ProviderCause> = new Map<string, ProviderCause>([
  ['AUTHENTICATION_UNSUCCESSFUL', 'card_not_authenticated'],
  ['CANCELLED', 'cancelled'],
])

/** In progress: the payment may complete even after the card page has closed, if the bank still asks the payer. */
export const openStatuses: ReadonlySet<string> = new Set([
  'AUTHENTICATED',
  'AUTHENTICATION_INITIATED',
  'AUTHENTICATION_NOT_NEEDED',
  'AUTHORIZED',
  'FUNDING',
  'INITIATED',
  'VERIFIED',
])
