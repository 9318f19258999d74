import type { ProviderCause } from '@malipo/kernel/provider-fact'

/**
 * MTN's errors on a request to pay that prove that it was read and turned down (providers.md 3.6). Errors of our own
 * configuration come as HTTP 500, so the code counts and not the status. Left out, because they leave it open:
 * INTERNAL_PROCESSING_ERROR and SERVICE_UNAVAILABLE.
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

/** What a status query answers about a reference that it does not find; also of payments that MTN has accepted. */
export const notFound = 'RESOURCE_NOT_FOUND'
