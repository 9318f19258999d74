import type { Outcome } from '../../phones/rules/phone'

/** Why a request to pay has failed, in MTN's words (its schema of 25 July 2026, and the portal's product updates). */
export const reasons = [
  'APPROVAL_REJECTED',
  'EXPIRED',
  'COULD_NOT_PERFORM_TRANSACTION',
  'NOT_ENOUGH_FUNDS',
  'INTERNAL_PROCESSING_ERROR',
  'PAYER_LIMIT_REACHED',
  'PAYER_NOT_FOUND',
  'PAYEE_NOT_FOUND',
  'SENDER_ACCOUNT_NOT_ACTIVE',
  'PAYEE_NOT_ALLOWED_TO_RECEIVE',
  'NOT_ALLOWED',
  'NOT_ALLOWED_TARGET_ENVIRONMENT',
  'INVALID_CALLBACK_URL_HOST',
  'INVALID_CURRENCY',
  'SERVICE_UNAVAILABLE',
  // MTN lists this failure of its sandbox without a code, so this word is ours.
  'TRANSFER_TYPE_UNKNOWN',
] as const
export type Reason = (typeof reasons)[number]

/** How the payer's side ended, as MTN reports it. MTN has no code for a wrong PIN: it falls under the catch-all. */
export const reasonOf = {
  wrong_pin: 'INTERNAL_PROCESSING_ERROR',
  pin_locked: 'SENDER_ACCOUNT_NOT_ACTIVE',
  over_daily_limit: 'PAYER_LIMIT_REACHED',
  no_funds: 'NOT_ENOUGH_FUNDS',
  cancelled: 'APPROVAL_REJECTED',
  no_answer: 'COULD_NOT_PERFORM_TRANSACTION',
  unreachable: 'EXPIRED',
} as const satisfies Record<Exclude<Outcome, 'agreed'>, Reason>

/** The text beside a reason that is written as an object; other reasons are their own text. */
export const messageOf: Readonly<Partial<Record<Reason, string>>> = {
  APPROVAL_REJECTED: 'The payer rejected the request.',
  NOT_ENOUGH_FUNDS: 'The payer has not enough funds.',
  PAYER_NOT_FOUND: 'Payer not found.',
}

export function isReason(word: string): word is Reason {
  return reasons.some((reason) => reason === word)
}
