import { readPayAnswer } from './pay-answer'
import { names, recorded } from './recorded.harness'

const accepted = { kind: 'accepted' }
const refused = (cause: string, providerCode: string) => ({ kind: 'refused', cause, providerCode })
const unknown = (detail: string) => ({ kind: 'unknown', detail })

const answers = {
  'pay-answer-accepted': accepted,
  'pay-answer-accepted-id-false': accepted,
  'pay-answer-duplicate': accepted,
  // The product's code means ambiguous elsewhere; the service knows the id.
  'pay-answer-duplicate-500': accepted,
  'pay-answer-ambiguous': unknown('http 200, DP00800001000'),
  'pay-answer-timed-out': unknown('http 200, DP00800001024'),
  'pay-answer-something-went-wrong': unknown('http 200, ESB000001'),
  'pay-answer-initiation-failed': unknown('http 200, ESB000004'),
  'pay-answer-refused': refused('refused', 'DP00800001008'),
  'pay-answer-refused-no-funds': refused('no_funds', 'DP00800001007'),
  'pay-error-msisdn-not-found': refused('not_registered', 'DP00800001005'),
  'pay-error-msisdn-invalid': refused('not_registered', 'ESB000036'),
  // A code that is final elsewhere, under a server's fault.
  'pay-error-something-went-wrong': unknown('http 500, DP00800001005'),
  'pay-error-vendor-not-configured': refused('refused', 'ESB000039'),
  'pay-error-signature': refused('refused', 'DP00800001026'),
  'pay-error-router-country': refused('refused', 'ROUTER006'),
  'pay-error-router-timeout': unknown('http 504, ROUTER117'),
  'any-error-invalid-token': refused('refused', 'http 401'),
  'any-error-too-many-requests': { kind: 'throttled', providerCode: 'http 429' },
  'any-error-read-timeout': unknown('http 408'),
  'any-error-connection-timeout': unknown('http 408'),
  'any-error-bad-gateway': unknown('http 502'),
  'any-error-gateway-timeout': unknown('http 504'),
  'any-error-maintenance': unknown('http 503'),
}

test.each(Object.entries(answers))('%s', (name, outcome) => {
  const { status, body } = recorded(name)
  expect(readPayAnswer(status, body)).toEqual(outcome)
})

test('every answer that was recorded is read', () => {
  const readable = names.filter((name) => /^(pay-(answer|error)|any)-/.test(name))
  expect(Object.keys(answers).sort()).toEqual(readable.sort())
})

const envelope = { code: '200', message: 'x', result_code: 'ESB000010', success: true }

test.each([
  ['an empty body', 200, ''],
  ['a code without a row', 200, { ...envelope, success: false, response_code: 'DP00800001077' }],
  ['success with an ambiguous code', 200, { ...envelope, response_code: 'DP00800001000' }],
  ['success with a code of refusal', 200, { ...envelope, response_code: 'DP00800001008' }],
  [
    'the codes of acceptance without success',
    200,
    { ...envelope, success: false, response_code: '' },
  ],
  ['a refusal under a fault', 500, { ...envelope, success: false, response_code: 'DP00800001007' }],
  ['the words of acceptance under a fault', 500, { ...envelope, response_code: 'DP00800001006' }],
])('%s leaves open whether the phone rings', (_, status, body) => {
  const text = typeof body === 'string' ? body : JSON.stringify({ status: body })
  expect(readPayAnswer(status, Buffer.from(text)).kind).toBe('unknown')
})

test('acceptance needs no code of the product', () => {
  expect(readPayAnswer(200, Buffer.from(JSON.stringify({ status: envelope })))).toEqual(accepted)
})
