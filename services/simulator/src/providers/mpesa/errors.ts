import { has, jsonAnswer, type Refused, type WireAnswer } from '../rules/rail'
import { nextRequestId } from './ids'
import type { Mpesa } from './state'

/**
 * Daraja's errors (providers.md 1.1 and 1.3, from the portal of 28 December 2025). 500.001.1001 stands for three errors
 * with different messages; throttling is a 500 of Daraja, or a 429 of the gateway in front.
 */
const errors = {
  invalid_authentication: [400, '400.008.01', 'Invalid Authentication passed'],
  invalid_grant_type: [400, '400.008.02', 'Invalid grant type passed'],
  invalid_payload: [400, '400.002.05', 'Invalid Request Payload'],
  invalid_token: [404, '404.001.03', 'Invalid Access Token'],
  invalid_token_c2b: [400, '400.003.01', 'Invalid Access Token'],
  invalid_token_product: [
    401,
    '401.003.01',
    'Error Occurred - Invalid Access Token - Invalid API call as no apiproduct match found',
  ],
  invalid_token_pull: [401, '401.001', 'Invalid Access Token'],
  invalid_header: [404, '404.001.04', 'Invalid Authentication Header'],
  not_found: [404, '404.001.01', 'Resource not found'],
  method_not_allowed: [405, '405.001', 'Method Not Allowed'],
  unknown_merchant: [500, '500.001.1001', 'Merchant does not exist'],
  wrong_credentials: [500, '500.001.1001', 'Wrong credentials'],
  subscriber_locked: [
    500,
    '500.001.1001',
    'Unable to lock subscriber, a transaction is already in process for the current subscriber',
  ],
  spike_arrest: [500, '500.003.02', 'Error Occurred: Spike Arrest Violation'],
  system_busy: [500, '500.003.02', 'System is busy. Please try again in few minutes.'],
  quota: [500, '500.003.03', 'Quota Violation'],
  duplicate_order: [500, '500.002.1001', 'Duplicate OriginatorConversationID.'],
  internal: [500, '500.003.1001', 'Internal Server Error'],
  urls_registered: [500, '500.003.1001', 'Urls are already registered.'],
  invalid_short_code_pull: [400, '400.001', 'Invalid ShortCode'],
} as const satisfies Record<string, readonly [number, string, string]>

export type DarajaError = keyof typeof errors

/** Answers of the systems in front of Daraja, which have another shape or an empty body. */
const foreign = {
  firewall: {
    status: 503,
    contentType: 'text/html',
    body: '<html><head><META NAME="robots" CONTENT="noindex,nofollow"></head><body>Request unsuccessful. Incapsula incident ID: 436000480110893345-209274939231764168</body></html>\n',
  },
  empty_400: { status: 400, contentType: 'application/json', body: '' },
  gateway_spike_arrest: {
    status: 429,
    contentType: 'application/json',
    body: '{"fault":{"faultstring":"Spike arrest violation. Allowed rate : 5pm","detail":{"errorcode":"policies.ratelimit.SpikeArrestViolation"}}}',
  },
  opaque_500: { status: 500, contentType: 'text/plain', body: 'Internal Server Error' },
} as const satisfies Record<string, WireAnswer>

export const errorNames: readonly string[] = [...Object.keys(errors), ...Object.keys(foreign)]

export function errorAnswer(name: string, requestId: string): WireAnswer {
  if (has(foreign, name)) return foreign[name]
  const [status, code, message] = errors[has(errors, name) ? name : 'internal']
  return errorBody(status, requestId, code, message)
}

/** Registering an address has its own code for a field that is wrong. */
export function invalidRegistration(field: string, requestId: string): WireAnswer {
  return errorBody(400, requestId, '400.003.02', `Bad Request - Invalid ${field}`)
}

/**
 * Says that a push has no outcome yet, for which the status query uses the error code 500.001.1001 too. The request id
 * is the CheckoutRequestID.
 */
export function stillProcessing(checkoutRequestId: string): WireAnswer {
  return errorBody(500, checkoutRequestId, '500.001.1001', 'The transaction is being processed')
}

function errorBody(status: number, requestId: string, errorCode: string, errorMessage: string) {
  return jsonAnswer(status, { requestId, errorCode, errorMessage })
}

export function refuse(mpesa: Mpesa, error: DarajaError): Refused {
  return { kind: 'refused', answer: errorAnswer(error, nextRequestId(mpesa)), why: error }
}

export function refuseField(mpesa: Mpesa, field: string): Refused {
  return {
    kind: 'refused',
    answer: errorBody(400, nextRequestId(mpesa), '400.002.02', `Bad Request - Invalid ${field}`),
    why: `Invalid ${field}`,
  }
}
