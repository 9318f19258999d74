import { readAirtelMoney, checkSignature, readPayAnswer } from './inbound'
import { names, recorded } from './recorded.harness'

const receipt = 'MP261120.1425.L06941'
const providerRequestId = '0f4c8a5d2b7e4f1c9a6d3e8b'
const paid = { kind: 'confirmed', receipt }
const declined = (cause: string, providerCode: string) => ({
  kind: 'declined',
  cause,
  providerCode,
})
const undecided = (providerCode: string, listed: boolean) => ({
  kind: 'undecided',
  providerCode,
  listed,
})

const answers = {
  'enquiry-answer-success': paid,
  'enquiry-answer-success-other-code': paid,
  // The envelope says success, but the transaction has failed.
  'enquiry-answer-failed-success-true': declined('refused', 'DP00800001006'),
  'enquiry-answer-failed-wrong-pin': declined('wrong_pin', 'DP00800001002'),
  'enquiry-answer-failed-over-limit': declined('over_limit', 'DP00800001003'),
  'enquiry-answer-failed-below-minimum': declined('over_limit', 'DP00800001004'),
  'enquiry-answer-failed-no-pin': declined('no_answer', 'DP00800001005'),
  'enquiry-answer-failed-no-funds': declined('no_funds', 'DP00800001007'),
  'enquiry-answer-failed-refused': declined('cancelled', 'DP00800001008'),
  'enquiry-answer-failed-not-honoured': declined('refused', 'DP00800001009'),
  'enquiry-answer-failed-payee-not-permitted': declined('refused', 'DP00800001010'),
  'enquiry-answer-failed-expired-code': declined('prompt_expired', 'DP00800001029'),
  'enquiry-answer-failed-unknown-code': {
    ...declined('refused', 'DP00800001099'),
    listed: false,
  },
  'enquiry-answer-expired': declined('prompt_expired', 'TE'),
  'enquiry-answer-ambiguous': undecided('TA', true),
  'enquiry-answer-in-progress': undecided('TIP', true),
  'enquiry-answer-initiated': undecided('TI', true),
  'enquiry-answer-unknown-status': undecided('TX', false),
  'enquiry-answer-not-found': { kind: 'not_found', providerCode: 'DP00800001025' },
  'enquiry-answer-not-fetched': undecided('ESB000014', true),
}

const callbacks = {
  'callback-success': { ...paid, providerRequestId },
  'callback-success-signed': { ...paid, providerRequestId },
  'callback-success-wrong-signature': { ...paid, providerRequestId },
  'callback-failed': { ...declined('refused', 'TF'), providerRequestId },
  'callback-failed-without-money-id': { ...declined('refused', 'TF'), providerRequestId },
  'callback-ambiguous': undecided('TA', true),
  'callback-malformed-cut-off': { kind: 'unreadable', detail: 'not a callback of a payment' },
}

describe('a recorded enquiry', () => {
  test.each(Object.entries(answers))('%s is read as the fact listed for it', (name, fact) => {
    expect(readAirtelMoney('query_answer', recorded(name).body)).toEqual(fact)
  })

  test('each recorded file has a fact listed', () => {
    const readable = names.filter((name) => name.startsWith('enquiry-'))
    expect(Object.keys(answers).sort()).toEqual(readable.sort())
  })
})

describe('a recorded callback', () => {
  test.each(Object.entries(callbacks))('%s is read as the fact listed for it', (name, fact) => {
    expect(readAirtelMoney('callback', recorded(name).body)).toEqual(fact)
  })

  test('each recorded file has a fact listed', () => {
    const readable = names.filter((name) => name.startsWith('callback-'))
    expect(Object.keys(callbacks).sort()).toEqual(readable.sort())
  })
})

test.each([
  ['no receipt', undefined],
  ['null for a receipt', null],
  ['an empty receipt', ''],
  ['an invalid receipt', 'not a receipt'],
])('a payment that is reported as made with %s is a report of payment', (_, moneyId) => {
  const transaction = { id: providerRequestId, status: 'TS', airtel_money_id: moneyId }
  const body = Buffer.from(JSON.stringify({ data: { transaction } }))
  expect(readAirtelMoney('query_answer', body)).toEqual({ kind: 'confirmed' })
})

test.each(['', '[]', 'null', '{"ok":true}', '{"transaction":{"id":1}}'])(
  '"%s" is unreadable',
  (text) => {
    expect(readAirtelMoney('query_answer', Buffer.from(text)).kind).toBe('unreadable')
    expect(readAirtelMoney('callback', Buffer.from(text)).kind).toBe('unreadable')
  },
)

test('a statement row is unreadable, because Airtel has no statement', () => {
  const { body } = recorded('callback-success')
  expect(readAirtelMoney('statement_row', body).kind).toBe('unreadable')
})

const key = 'callback-key'

test.each([
  ['callback-success-signed', 'right'],
  ['callback-success-wrong-signature', 'wrong'],
  ['callback-success', 'absent'],
  ['callback-malformed-cut-off', 'absent'],
])('the signature of %s is %s', (name, expected) => {
  expect(checkSignature(recorded(name).body, key)).toBe(expected)
})

test('the signature counts as absent without a key', () => {
  expect(checkSignature(recorded('callback-success-signed').body, undefined)).toBe('absent')
})

test('the signature of a changed callback is wrong', () => {
  const body = recorded('callback-success-signed').body.toString().replace('"TS"', '"TF"')
  expect(checkSignature(Buffer.from(body), key)).toBe('wrong')
})

test.each(['', 'AAAA', '%'])('the hash "%s" is wrong and throws nothing', (hash) => {
  expect(checkSignature(Buffer.from(JSON.stringify({ transaction: {}, hash })), key)).toBe('wrong')
})

const accepted = { kind: 'accepted' }
const refused = (cause: string, providerCode: string) => ({ kind: 'refused', cause, providerCode })
const unknown = (detail: string) => ({ kind: 'unknown', detail })

const payAnswers = {
  'pay-answer-accepted': accepted,
  'pay-answer-accepted-id-false': accepted,
  'pay-answer-duplicate': accepted,
  // This code of the product means ambiguous elsewhere; the code of the service says that the id is a duplicate.
  'pay-answer-duplicate-500': accepted,
  'pay-answer-ambiguous': unknown('http 200, DP00800001000'),
  'pay-answer-timed-out': unknown('http 200, DP00800001024'),
  'pay-answer-something-went-wrong': unknown('http 200, ESB000001'),
  'pay-answer-initiation-failed': unknown('http 200, ESB000004'),
  'pay-answer-refused': refused('refused', 'DP00800001008'),
  'pay-answer-refused-no-funds': refused('no_funds', 'DP00800001007'),
  'pay-error-msisdn-not-found': refused('not_registered', 'DP00800001005'),
  'pay-error-msisdn-invalid': refused('not_registered', 'ESB000036'),
  // This code is final elsewhere, but not with the status of a server's fault.
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

test.each(Object.entries(payAnswers))(
  'the answer to a payment %s is read as the outcome listed for it',
  (name, outcome) => {
    const { status, body } = recorded(name)
    expect(readPayAnswer(status, body)).toEqual(outcome)
  },
)

test('the list of outcomes has every recorded answer to a payment', () => {
  const readable = names.filter((name) => /^(pay-(answer|error)|any)-/.test(name))
  expect(Object.keys(payAnswers).sort()).toEqual(readable.sort())
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
])('%s leaves open whether the payer is prompted', (_, status, body) => {
  const text = typeof body === 'string' ? body : JSON.stringify({ status: body })
  expect(readPayAnswer(status, Buffer.from(text)).kind).toBe('unknown')
})

test('acceptance needs no code of the product', () => {
  expect(readPayAnswer(200, Buffer.from(JSON.stringify({ status: envelope })))).toEqual(accepted)
})
