import { readAirtelMoney } from './inbound'
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
  // The envelope says success: the transaction has failed all the same.
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
  'enquiry-answer-failed-unknown-code': declined('refused', 'DP00800001099'),
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
  test.each(Object.entries(answers))('%s', (name, fact) => {
    expect(readAirtelMoney('query_answer', recorded(name).body)).toEqual(fact)
  })

  test('is read in every form that was recorded', () => {
    const readable = names.filter((name) => name.startsWith('enquiry-'))
    expect(Object.keys(answers).sort()).toEqual(readable.sort())
  })
})

describe('a recorded callback', () => {
  test.each(Object.entries(callbacks))('%s', (name, fact) => {
    expect(readAirtelMoney('callback', recorded(name).body)).toEqual(fact)
  })

  test('is read in every form that was recorded', () => {
    const readable = names.filter((name) => name.startsWith('callback-'))
    expect(Object.keys(callbacks).sort()).toEqual(readable.sort())
  })
})

test.each([
  ['no receipt', undefined],
  ['null for a receipt', null],
  ['an empty receipt', ''],
  ['an invalid receipt', 'not a receipt'],
])('a payment that is reported as made with %s is asked about again', (_, moneyId) => {
  const transaction = { id: providerRequestId, status: 'TS', airtel_money_id: moneyId }
  const body = Buffer.from(JSON.stringify({ data: { transaction } }))
  expect(readAirtelMoney('query_answer', body)).toEqual(undecided('TS', true))
})

test.each(['', '[]', 'null', '{"ok":true}', '{"transaction":{"id":1}}'])(
  '"%s" is unreadable',
  (text) => {
    expect(readAirtelMoney('query_answer', Buffer.from(text)).kind).toBe('unreadable')
    expect(readAirtelMoney('callback', Buffer.from(text)).kind).toBe('unreadable')
  },
)

test('there is no statement', () => {
  const { body } = recorded('callback-success')
  expect(readAirtelMoney('statement_row', body).kind).toBe('unreadable')
})
