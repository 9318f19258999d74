import { has, jsonAnswer, type Refused, type WireAnswer } from '../rules/rail'

/**
 * Airtel's errors (providers.md 4; the lists of two of its portals). The product, the service and the gateway each
 * have their own codes; refusals come with HTTP 200 as often as not, and final codes with HTTP 500.
 */
const errors = {
  invalid_fields: [200, { code: '200', message: 'Field validation.', result_code: 'ESB000008' }],
  msisdn_not_found: [
    400,
    { response_code: 'DP00800001005', code: '400', message: 'Msisdn Not Found' },
  ],
  msisdn_invalid: [
    400,
    {
      code: '400',
      message: 'Invalid MSISDN Length. MSISDN Length should be 9 and should start with 0.',
      result_code: 'ESB000036',
    },
  ],
  duplicate: [
    200,
    {
      response_code: 'DP00800001000',
      code: '500',
      result_code: 'ESB000041',
      message: 'External Transaction ID already exists.',
    },
  ],
  not_found: [
    200,
    {
      code: '400',
      message: 'No Transaction Found With Provided Transaction Id.',
      result_code: 'ESB000045',
      response_code: 'DP00800001025',
    },
  ],
  no_user: [
    200,
    {
      code: '400',
      message: 'User enquiry is failed.',
      result_code: 'ESB000011',
      response_code: 'DP02200000000',
    },
  ],
  failed: [200, { code: '200', message: 'FAILED', result_code: 'ESB000011' }],
  below_minimum: [
    200,
    {
      code: '200',
      message: 'Invalid Amount',
      result_code: 'ESB000011',
      response_code: 'DP00800001004',
    },
  ],
  ambiguous: [
    200,
    {
      code: '200',
      message: 'Ambiguous',
      result_code: 'ESB000010',
      response_code: 'DP00800001000',
    },
  ],
  payout_amount: refusedPayout('DP00900001004', 'Invalid Amount'),
  payout_failed: refusedPayout('DP00900001005', 'Failed'),
  payout_no_funds: refusedPayout('DP00900001007', 'Insufficient Funds'),
  payout_msisdn: refusedPayout('DP00900001012', 'Invalid mobile number'),
  payout_not_found: refusedPayout('DP00900001015', 'Transaction Not Found'),
  payout_duplicate: refusedPayout('DP00900001017', 'Duplicate transaction Id'),
  internal: [500, { response_code: 'DP00800001005', code: '500', message: 'Something Went Wrong' }],
  wrong_signature: [
    403,
    {
      code: '403',
      message: 'Forbidden',
      result_code: 'ESB000011',
      response_code: 'DP00800001026',
    },
  ],
  no_key: [
    200,
    {
      code: '500',
      message: 'Error while fetching encryption key',
      result_code: 'ESB000011',
      response_code: 'DP02010001000',
    },
  ],
  wrong_country: [400, { code: 'ROUTER006', message: 'Invalid Country', result_code: 'ROUTER006' }],
  wrong_currency: [
    400,
    { code: 'ROUTER112', message: 'Invalid Currency', result_code: 'ROUTER112' },
  ],
  missing_header: [400, { code: 'ROUTER003', message: 'Missing header', result_code: 'ROUTER003' }],
} as const satisfies Record<string, readonly [number, object]>

function refusedPayout(response_code: string, message: string) {
  return [200, { code: '200', message, result_code: 'ESB000011', response_code }] as const
}

/** Errors of the gateway in front of Airtel, which have other shapes. */
const atTheGateway = {
  wrong_credentials: [
    401,
    { error_description: 'Invalid client authentication', error: 'invalid_client' },
  ],
  invalid_token: [
    401,
    { error_description: 'The access token is invalid or has expired', error: 'invalid_token' },
  ],
  no_such_path: [404, { message: 'no Route matched with those values' }],
  method_not_allowed: [405, { message: 'Method Not Allowed' }],
  spike_arrest: [429, { message: 'API rate limit exceeded' }],
  service_unavailable: [503, { message: 'Service Unavailable' }],
} as const satisfies Record<string, readonly [number, object]>

const page = (status: number, words: string): WireAnswer => ({
  status,
  contentType: 'text/html',
  body: `<html><head><title>${words}</title></head><body><center><h1>${words}</h1></center></body></html>`,
})

const foreign = {
  connection_timeout: jsonAnswer(408, {
    status_message: 'I/O Exception',
    status_code: 'CONNECTION_TIMEOUT',
  }),
  read_timeout: page(408, '408 Request Timeout'),
  bad_gateway: page(502, '502 Bad Gateway'),
  gateway_timeout: page(504, '504 Gateway Time-out'),
} as const satisfies Record<string, WireAnswer>

type AirtelError = keyof typeof errors | keyof typeof atTheGateway | keyof typeof foreign

export const errorNames: readonly string[] = [
  ...Object.keys(errors),
  ...Object.keys(atTheGateway),
  ...Object.keys(foreign),
]

/** An unknown name gives `internal`, because a rule for all rails may name an error that only another rail has. */
export function errorAnswer(name: string): WireAnswer {
  if (has(foreign, name)) return foreign[name]
  if (has(atTheGateway, name)) {
    const [status, body] = atTheGateway[name]
    return jsonAnswer(status, body)
  }
  const [httpStatus, status] = errors[has(errors, name) ? name : 'internal']
  return jsonAnswer(httpStatus, { status: { ...status, success: false } })
}

export function refuse(error: AirtelError): Refused {
  return { kind: 'refused', answer: errorAnswer(error), why: error }
}
