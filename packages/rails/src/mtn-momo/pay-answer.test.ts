import { readPayAnswer } from './pay-answer'
import { names, recorded } from './recorded.harness'

const accepted = { kind: 'accepted' }
const refused = (cause: string, providerCode: string) => ({ kind: 'refused', cause, providerCode })

const answers = {
  'pay-answer-accepted': accepted,
  'pay-error-duplicate': accepted,
  'pay-error-bad-request': refused('refused', 'BAD_REQUEST'),
  'pay-error-bad-request-empty': refused('refused', 'http 400'),
  'pay-error-forbidden': refused('refused', 'FORBIDDEN_IP'),
  'pay-error-not-allowed': refused('refused', 'NOT_ALLOWED'),
  'pay-error-not-allowed-target-environment': refused('refused', 'NOT_ALLOWED_TARGET_ENVIRONMENT'),
  'pay-error-invalid-callback-url-host': refused('refused', 'INVALID_CALLBACK_URL_HOST'),
  'pay-error-invalid-currency': refused('refused', 'INVALID_CURRENCY'),
  'pay-error-payer-not-found': refused('not_registered', 'PAYER_NOT_FOUND'),
  'pay-error-internal': { kind: 'unknown', detail: 'http 500, INTERNAL_PROCESSING_ERROR' },
  'any-error-service-unavailable': { kind: 'unknown', detail: 'http 503, SERVICE_UNAVAILABLE' },
  'any-error-too-many-requests': { kind: 'throttled', providerCode: '429' },
  'any-error-invalid-subscription-key': refused('refused', '401'),
  'any-error-invalid-token': refused('refused', 'UNAUTHORIZED'),
  'any-error-web-firewall': { kind: 'unknown', detail: 'http 200' },
}

test.each(Object.entries(answers))('%s', (name, outcome) => {
  const { status, body } = recorded(name)
  expect(readPayAnswer(status, body)).toEqual(outcome)
})

test('parses every recorded answer', () => {
  const readable = names.filter((name) => /^(pay-(answer|error)|any)-/.test(name))
  expect(Object.keys(answers).sort()).toEqual(readable.sort())
})

test.each([
  ['an empty 200', 200, ''],
  ['an opaque 500', 500, ''],
  ['a 502 of some proxy', 502, '<html>'],
  ['a 404 of the gateway', 404, '{"statusCode":404,"message":"Resource not found"}'],
  ['an unlisted code', 500, '{"code":"SOMETHING_NEW","message":"?"}'],
])('%s leaves open whether the phone rings', (_, status, body) => {
  expect(readPayAnswer(status, Buffer.from(body)).kind).toBe('unknown')
})
