import { has, jsonAnswer, type Refused, type WireAnswer } from '../rules/rail'

/**
 * MTN's errors (providers.md 3.6; the words of its schema). Two layers answer: MTN with `code`, and the gateway in
 * front of it with `statusCode`. MTN answers with 500 even for mistakes of the client, such as a wrong currency.
 */
const errors = {
  bad_request: [400, 'BAD_REQUEST', 'Bad Request'],
  not_allowed: [500, 'NOT_ALLOWED', 'Authorization failed. User does not have permission.'],
  not_allowed_target_environment: [
    500,
    'NOT_ALLOWED_TARGET_ENVIRONMENT',
    'Access to target environment is forbidden.',
  ],
  invalid_callback_url_host: [
    500,
    'INVALID_CALLBACK_URL_HOST',
    'Callback URL with different host name then configured for API User.',
  ],
  invalid_currency: [500, 'INVALID_CURRENCY', 'Currency not supported.'],
  invalid_token: [401, 'UNAUTHORIZED', 'Unauthorized'],
  duplicate: [
    409,
    'RESOURCE_ALREADY_EXIST',
    'Duplicated reference id. Creation of resource failed.',
  ],
  not_found: [404, 'RESOURCE_NOT_FOUND', 'Requested resource was not found.'],
  internal: [500, 'INTERNAL_PROCESSING_ERROR', 'An internal error occurred while processing.'],
  service_unavailable: [
    503,
    'SERVICE_UNAVAILABLE',
    'Service temporarily unavailable, try again later.',
  ],
} as const satisfies Record<string, readonly [number, string, string]>

const atTheGateway = {
  missing_subscription_key: [
    401,
    'Access denied due to missing subscription key. Make sure to include subscription key when making requests to an API.',
  ],
  invalid_subscription_key: [
    401,
    'Access denied due to invalid subscription key. Make sure to provide a valid key for an active subscription.',
  ],
  no_such_path: [404, 'Resource not found'],
  spike_arrest: [429, 'Rate limit is exceeded. Try again in 1 seconds.'],
} as const satisfies Record<string, readonly [number, string]>

/** Answers of the systems in front of MTN's API, which have another shape or an empty body. */
const foreign = {
  wrong_credentials: {
    status: 401,
    contentType: 'application/json',
    body: '{"error":"login_failed"}',
  },
  token_target_environment: {
    status: 400,
    contentType: 'application/json',
    body: '{"error":"Invalid or missing X-Target-Environment header"}',
  },
  invalid_client: {
    status: 401,
    contentType: 'application/json',
    body: '{"error":"invalid_client"}',
  },
  length_required: {
    status: 411,
    contentType: 'text/html',
    body: '<HTML><HEAD><TITLE>Length Required</TITLE></HEAD><BODY><h2>Length Required</h2></BODY></HTML>',
  },
  firewall: {
    status: 200,
    contentType: 'text/html',
    body: '<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.<br><br>Your support ID is: 7654321098765432109</body></html>',
  },
  opaque_500: { status: 500, contentType: 'text/plain', body: '' },
} as const satisfies Record<string, WireAnswer>

export type MtnError = keyof typeof errors | keyof typeof atTheGateway | keyof typeof foreign

export const errorNames: readonly string[] = [
  ...Object.keys(errors),
  ...Object.keys(atTheGateway),
  ...Object.keys(foreign),
]

/** An unknown name gives `internal`, because a rule for all rails may name an error that only another rail has. */
export function errorAnswer(name: string): WireAnswer {
  if (has(foreign, name)) return foreign[name]
  if (has(atTheGateway, name)) {
    const [statusCode, message] = atTheGateway[name]
    return jsonAnswer(statusCode, { statusCode, message })
  }
  const [status, code, message] = errors[has(errors, name) ? name : 'internal']
  return jsonAnswer(status, { message, code })
}

export function refuse(error: MtnError): Refused {
  return { kind: 'refused', answer: errorAnswer(error), why: error }
}
