import { readMtnMomo, readPayAnswer } from './inbound'
import { names, recorded } from './recorded.harness'

const paid = { kind: 'confirmed', receipt: '1432942836', amountMinor: 500_000n }
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
  'status-answer-created': undecided('CREATED', true),
  'status-answer-pending': undecided('PENDING', true),
  'status-answer-unknown-status': undecided('ON_HOLD', false),
  'status-answer-successful': paid,
  'status-answer-successful-numbers': paid,
  'status-answer-failed-approval-rejected': declined('cancelled', 'APPROVAL_REJECTED'),
  'status-answer-failed-payment-not-approved': declined('cancelled', 'PAYMENT_NOT_APPROVED'),
  'status-answer-failed-transaction-canceled': declined('cancelled', 'TRANSACTION_CANCELED'),
  'status-answer-failed-expired': declined('prompt_expired', 'EXPIRED'),
  'status-answer-failed-could-not-perform-transaction': declined(
    'no_answer',
    'COULD_NOT_PERFORM_TRANSACTION',
  ),
  'status-answer-failed-not-enough-funds': declined('no_funds', 'NOT_ENOUGH_FUNDS'),
  'status-answer-failed-low-balance': declined(
    'no_funds',
    'LOW_BALANCE_OR_PAYEE_LIMIT_REACHED_OR_NOT_ALLOWED',
  ),
  'status-answer-failed-internal-processing-error': declined(
    'no_funds',
    'INTERNAL_PROCESSING_ERROR',
  ),
  'status-answer-failed-payer-limit-reached': declined('over_limit', 'PAYER_LIMIT_REACHED'),
  'status-answer-failed-payer-not-found': declined('not_registered', 'PAYER_NOT_FOUND'),
  'status-answer-failed-sender-account-not-active': declined('locked', 'SENDER_ACCOUNT_NOT_ACTIVE'),
  'status-answer-failed-service-unavailable': declined('busy', 'SERVICE_UNAVAILABLE'),
  'status-answer-failed-payee-not-found': declined('refused', 'PAYEE_NOT_FOUND'),
  'status-answer-failed-payee-not-allowed-to-receive': declined(
    'refused',
    'PAYEE_NOT_ALLOWED_TO_RECEIVE',
  ),
  'status-answer-failed-not-allowed': declined('refused', 'NOT_ALLOWED'),
  'status-answer-failed-not-allowed-target-environment': declined(
    'refused',
    'NOT_ALLOWED_TARGET_ENVIRONMENT',
  ),
  'status-answer-failed-invalid-callback-url-host': declined(
    'refused',
    'INVALID_CALLBACK_URL_HOST',
  ),
  'status-answer-failed-invalid-currency': declined('refused', 'INVALID_CURRENCY'),
  'status-answer-failed-unknown-reason': {
    ...declined('refused', 'TRANSFER_TYPE_UNKNOWN'),
    listed: false,
  },
  'status-answer-failed-reason-object': declined('cancelled', 'APPROVAL_REJECTED'),
  'status-answer-failed-without-reason': declined('refused', 'FAILED'),
  'status-error-not-found': { kind: 'not_found', providerCode: 'RESOURCE_NOT_FOUND' },
}

const callbacks = {
  'callback-successful': paid,
  'callback-failed-rejected': declined('cancelled', 'APPROVAL_REJECTED'),
  'callback-failed-expired': declined('prompt_expired', 'EXPIRED'),
  'callback-failed-reason-object': declined('no_funds', 'NOT_ENOUGH_FUNDS'),
  'callback-malformed-cut-off': {
    kind: 'unreadable',
    detail: 'not a callback of a request to pay',
  },
}

describe('a recorded status answer', () => {
  test.each(Object.entries(answers))('%s is read as the fact listed for it', (name, fact) => {
    expect(readMtnMomo('query_answer', recorded(name).body)).toEqual(fact)
  })

  test('each recorded file has a fact listed', () => {
    const readable = names.filter((name) => name.startsWith('status-'))
    expect(Object.keys(answers).sort()).toEqual(readable.sort())
  })
})

describe('a recorded callback', () => {
  test.each(Object.entries(callbacks))('%s is read as the fact listed for it', (name, fact) => {
    expect(readMtnMomo('callback', recorded(name).body)).toEqual(fact)
  })

  test('each recorded file has a fact listed', () => {
    const readable = names.filter((name) => name.startsWith('callback-'))
    expect(Object.keys(callbacks).sort()).toEqual(readable.sort())
  })

  test('cannot report an unknown reference', () => {
    const { body } = recorded('status-error-not-found')
    expect(readMtnMomo('callback', body).kind).toBe('unreadable')
  })
})

describe('a payment that is reported as made', () => {
  const successful = {
    status: 'SUCCESSFUL',
    amount: '5000',
    currency: 'UGX',
    financialTransactionId: '1432942836',
  }

  test.each([
    ['no receipt', { financialTransactionId: undefined }],
    ['an empty receipt', { financialTransactionId: '' }],
    ['an invalid receipt', { financialTransactionId: '14 32' }],
  ])('with %s is a report of payment', (_, change) => {
    const reported = { kind: 'confirmed', amountMinor: 500_000n }
    expect(readMtnMomo('query_answer', body({ ...successful, ...change }))).toEqual(reported)
  })

  test.each([
    ['an amount of zero', { amount: '0' }],
    ['a negative amount', { amount: '-5000' }],
    ['an amount with a separator', { amount: '5,000' }],
    ['an amount of a third decimal', { amount: '5000.001' }],
    ['another currency', { currency: 'USD' }],
  ])('with %s is unreadable, and so not believed', (_, change) => {
    expect(readMtnMomo('query_answer', body({ ...successful, ...change })).kind).toBe('unreadable')
  })

  test('is read in the euros of the sandbox too', () => {
    expect(readMtnMomo('query_answer', body({ ...successful, currency: 'EUR' }))).toEqual(paid)
  })

  test('is read the same with decimals of zero', () => {
    expect(readMtnMomo('callback', body({ ...successful, amount: '5000.00' }))).toEqual(paid)
  })
})

test('a reason beside a status that is no verdict decides nothing', () => {
  const pending = { status: 'PENDING', amount: '1', currency: 'UGX', reason: 'APPROVAL_REJECTED' }
  expect(readMtnMomo('query_answer', body(pending))).toEqual(undecided('PENDING', true))
})

test.each(['any-error-service-unavailable', 'any-error-invalid-token'])(
  '%s says nothing about a payment',
  (name) => {
    expect(readMtnMomo('query_answer', recorded(name).body).kind).toBe('undecided')
  },
)

test.each(['', '[]', 'null', '{"ok":true}', '{"status":{}}'])('"%s" is unreadable', (text) => {
  expect(readMtnMomo('query_answer', Buffer.from(text)).kind).toBe('unreadable')
  expect(readMtnMomo('callback', Buffer.from(text)).kind).toBe('unreadable')
})

test('a statement row is unreadable, because MTN has no statement', () => {
  const { body: statement } = recorded('callback-successful')
  expect(readMtnMomo('statement_row', statement).kind).toBe('unreadable')
})

function body(value: object): Buffer {
  return Buffer.from(JSON.stringify(value))
}

const accepted = { kind: 'accepted' }
const refused = (cause: string, providerCode: string) => ({ kind: 'refused', cause, providerCode })

const payAnswers = {
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

test.each(Object.entries(payAnswers))(
  'the answer to a request to pay %s is read as the outcome listed for it',
  (name, outcome) => {
    const { status, body } = recorded(name)
    expect(readPayAnswer(status, body)).toEqual(outcome)
  },
)

test('the list of outcomes has every recorded answer to a request to pay', () => {
  const readable = names.filter((name) => /^(pay-(answer|error)|any)-/.test(name))
  expect(Object.keys(payAnswers).sort()).toEqual(readable.sort())
})

test.each([
  ['an empty 200', 200, ''],
  ['an opaque 500', 500, ''],
  ['a 502 of some proxy', 502, '<html>'],
  ['a 404 of the gateway', 404, '{"statusCode":404,"message":"Resource not found"}'],
  ['an unlisted code', 500, '{"code":"SOMETHING_NEW","message":"?"}'],
])('%s leaves open whether the payer is prompted', (_, status, body) => {
  expect(readPayAnswer(status, Buffer.from(body)).kind).toBe('unknown')
})
