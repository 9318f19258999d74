import { readMpesa, readPushAnswer } from './inbound'
import { names, recorded } from './recorded.harness'

const providerRequestId = 'ws_CO_20112026142501373708374149'
const paidAt = new Date('2026-11-20T11:25:25Z')
const paid = {
  kind: 'confirmed',
  receipt: 'UKK1RT61SV',
  amountMinor: 100n,
  paidAt,
  providerRequestId,
}
const declined = (cause: string, providerCode: string) => ({
  kind: 'declined',
  cause,
  providerCode,
  providerRequestId,
})
const undecided = (providerCode: string, listed: boolean) => ({
  kind: 'undecided',
  providerCode,
  listed,
})

const callbacks = {
  'callback-paid': paid,
  'callback-paid-balance': paid,
  'callback-paid-balance-without-value': paid,
  'callback-paid-masked-phone': paid,
  'callback-paid-reordered': paid,
  'callback-paid-two-decimals': paid,
  'callback-paid-cents': { ...paid, amountMinor: 15_050n },
  'callback-failed-no-funds': declined('no_funds', '1'),
  'callback-failed-below-minimum': declined('over_limit', '2'),
  'callback-failed-above-maximum': declined('over_limit', '3'),
  'callback-failed-daily-limit': declined('over_limit', '4'),
  'callback-failed-same-amount-within-two-minutes': declined('too_soon', '17'),
  'callback-failed-subscriber-locked': declined('session_open', '1001'),
  'callback-failed-expired': declined('prompt_expired', '1019'),
  'callback-failed-prompt-not-sent': declined('busy', '1025'),
  'callback-failed-cancelled': declined('cancelled', '1032'),
  'callback-failed-cancelled-older-text': declined('cancelled', '1032'),
  'callback-failed-numeric-string-code': declined('cancelled', '1032'),
  'callback-failed-no-answer': declined('no_answer', '1037'),
  'callback-failed-no-answer-other-text': declined('no_answer', '1037'),
  'callback-failed-wrong-pin': declined('wrong_pin', '2001'),
  'callback-failed-pin-locked': declined('locked', '8006'),
  'callback-failed-string-code': declined('refused', 'SFC_IC0003'),
  'callback-malformed-cut-off': { kind: 'unreadable', detail: 'not an STK callback' },
}

const queryAnswers = {
  'query-answer-paid': { kind: 'confirmed', providerRequestId },
  'query-answer-cancelled': declined('cancelled', '1032'),
  'query-answer-expired': declined('prompt_expired', '1019'),
  'query-answer-no-answer': declined('no_answer', '1037'),
  'query-answer-no-funds': declined('no_funds', '1'),
  'query-answer-pin-locked': declined('locked', '8006'),
  'query-answer-same-amount-within-two-minutes': declined('too_soon', '17'),
  'query-answer-wrong-pin': declined('wrong_pin', '2001'),
  'query-answer-processing-4999': undecided('4999', true),
  'query-answer-processing-error': undecided('500.001.1001', true),
  'query-answer-unknown-code': undecided('E3008', false),
}

describe('a recorded callback', () => {
  test.each(Object.entries(callbacks))('%s is read as the fact listed for it', (name, fact) => {
    expect(readMpesa('callback', recorded(name).body)).toEqual(fact)
  })

  test('each recorded file has a fact listed', () => {
    const readable = names.filter((name) => name.startsWith('callback-') && name !== 'callback-ack')
    expect(Object.keys(callbacks).sort()).toEqual(readable.sort())
  })

  test('with a code that has no row is undecided, never declined', () => {
    expect(readMpesa('callback', callbackWith({ ResultCode: 1036 }))).toEqual(
      undecided('1036', false),
    )
  })
})

describe('a callback', () => {
  const amount = { Name: 'Amount', Value: 1 }
  const receipt = { Name: 'MpesaReceiptNumber', Value: 'UKK1RT61SV' }
  const paidWith = (CallbackMetadata: unknown) => callbackWith({ ResultCode: 0, CallbackMetadata })
  const reported = { kind: 'confirmed', providerRequestId }

  test.each([
    ['no metadata at all', undefined, {}],
    ['metadata that is null', null, {}],
    ['items that are no list', { Item: receipt }, {}],
    ['no receipt', { Item: [amount] }, { amountMinor: 100n }],
    ['an empty receipt', { Item: [amount, { ...receipt, Value: '' }] }, { amountMinor: 100n }],
    ['no amount', { Item: [receipt] }, { receipt: receipt.Value }],
    ['an amount of zero', { Item: [receipt, { ...amount, Value: 0 }] }, { receipt: receipt.Value }],
    [
      'a negative amount',
      { Item: [receipt, { ...amount, Value: -1 }] },
      { receipt: receipt.Value },
    ],
    [
      'a third decimal',
      { Item: [receipt, { ...amount, Value: 1.005 }] },
      { receipt: receipt.Value },
    ],
  ])('that says paid with %s is a report of payment', (_, metadata, facts) => {
    expect(readMpesa('callback', paidWith(metadata))).toEqual({ ...reported, ...facts })
  })

  test.each([
    ['null', { Name: 'Balance', Value: null }],
    ['a truth value', { Name: 'Balance', Value: true }],
    ['an object', { Name: 'Balance', Value: {} }],
    ['no name', { Value: 1 }],
    ['nothing', null],
  ])('names its receipt beside an item with %s', (_, odd) => {
    expect(readMpesa('callback', paidWith({ Item: [odd, amount, receipt] }))).toEqual({
      ...reported,
      receipt: receipt.Value,
      amountMinor: 100n,
    })
  })

  test('is believed without a time of payment that can be read', () => {
    const body = callbackWith({
      ResultCode: 0,
      CallbackMetadata: {
        Item: [
          { Name: 'Amount', Value: '250.00' },
          { Name: 'MpesaReceiptNumber', Value: 'UKK1RT61SV' },
          { Name: 'TransactionDate', Value: 99999999999999 },
        ],
      },
    })
    expect(readMpesa('callback', body)).toEqual({
      kind: 'confirmed',
      receipt: 'UKK1RT61SV',
      amountMinor: 25_000n,
      providerRequestId,
    })
  })

  test.each([
    ['nothing', ''],
    ['no object', '[]'],
    ['null', 'null'],
    ['another body', '{"ok":true}'],
    [
      'cancelled, with a byte that is no UTF-8',
      Buffer.from(callbackWith({ ResultCode: 1032 }).toString().replace('"m"', '"\xff"'), 'latin1'),
    ],
    [
      'a result code that is an object',
      JSON.stringify({ Body: { stkCallback: { CheckoutRequestID: 'a', ResultCode: {} } } }),
    ],
  ])('that is %s is unreadable', (_, body) => {
    expect(readMpesa('callback', Buffer.from(body)).kind).toBe('unreadable')
  })
})

describe('an answer to a status query', () => {
  test.each(Object.entries(queryAnswers))('%s is read as the fact listed for it', (name, fact) => {
    expect(readMpesa('query_answer', recorded(name).body)).toEqual(fact)
  })

  test('each recorded file has a fact listed', () => {
    const readable = names.filter((name) => name.startsWith('query-answer-'))
    expect(Object.keys(queryAnswers).sort()).toEqual(readable.sort())
  })

  test('whose question was not accepted is undecided', () => {
    const body = Buffer.from(
      JSON.stringify({ ResponseCode: '1', CheckoutRequestID: providerRequestId, ResultCode: '0' }),
    )
    expect(readMpesa('query_answer', body)).toEqual(undecided('1', false))
  })
})

describe('a row of the statement', () => {
  const row = {
    transactionId: 'UKK1RT61SV',
    trxDate: '2026-11-20T14:25:25+03:00',
    amount: '168.00',
  }

  test.each([
    ['a zone', row],
    ['no zone, which is East African Time', { ...row, trxDate: '2026-11-20 14:25:25' }],
    ['a numeric amount', { ...row, amount: 168 }],
    ['a bill reference', { ...row, billreference: 'A1B2C3D4E5F6', msisdn: 72200000 }],
  ])('with %s is a payment with a receipt', (_, body) => {
    expect(readMpesa('statement_row', Buffer.from(JSON.stringify(body)))).toEqual({
      kind: 'confirmed',
      receipt: 'UKK1RT61SV',
      amountMinor: 16_800n,
      paidAt,
    })
  })

  test.each([
    ['without a receipt', { ...row, transactionId: '' }],
    ['with a comma in the amount', { ...row, amount: '1,168.00' }],
    ['without an amount', { transactionId: 'UKK1RT61SV' }],
  ])('%s is unreadable', (_, body) => {
    expect(readMpesa('statement_row', Buffer.from(JSON.stringify(body))).kind).toBe('unreadable')
  })
})

function callbackWith(result: object): Buffer {
  const stkCallback = { MerchantRequestID: 'm', CheckoutRequestID: providerRequestId, ...result }
  return Buffer.from(JSON.stringify({ Body: { stkCallback } }))
}

const refused = (cause: string, providerCode: string) => ({ kind: 'refused', cause, providerCode })
const accepted = { kind: 'accepted', providerRequestId: 'ws_CO_20112026142501373708374149' }

test.each<[string, object]>([
  ['push-answer-accepted', accepted],
  ['push-answer-accepted-without-customer-message', accepted],
  [
    'push-answer-accepted-older-merchant-id',
    { kind: 'accepted', providerRequestId: 'ws_CO_DMZ_12321_23423476' },
  ],
  ['push-error-invalid-phone-number', refused('not_registered', '400.002.02')],
  ['push-error-invalid-amount', refused('refused', '400.002.02')],
  ['push-error-invalid-callback-url', refused('refused', '400.002.02')],
  ['push-error-invalid-remarks', refused('refused', '400.002.02')],
  ['push-error-invalid-short-code', refused('refused', '400.002.02')],
  ['push-error-invalid-timestamp', refused('refused', '400.002.02')],
  ['any-error-capitalised-keys', refused('refused', '400.002.02')],
  ['push-error-merchant-does-not-exist', refused('refused', '500.001.1001')],
  ['push-error-wrong-credentials', refused('refused', '500.001.1001')],
  ['push-error-wrong-credentials-validate-form', refused('refused', '500.001.1001')],
  ['push-error-subscriber-locked', refused('session_open', '500.001.1001')],
  ['push-error-invalid-access-token', refused('refused', '404.001.03')],
  ['any-error-quota-violation', refused('busy', '500.003.03')],
  ['any-error-resource-not-found', refused('refused', '404.001.01')],
  ['any-error-method-not-allowed', refused('refused', '405.001')],
  ['any-error-spike-arrest', { kind: 'throttled', providerCode: '500.003.02' }],
  ['any-error-gateway-spike-arrest', { kind: 'throttled', providerCode: 'SpikeArrestViolation' }],
  ['any-error-gateway-quota', refused('busy', 'QuotaViolation')],
  ['any-error-gateway-other', { kind: 'unknown', detail: 'http 504, GatewayTimeout' }],
  ['any-error-system-busy', { kind: 'unknown', detail: 'http 500, 500.003.02' }],
  ['any-error-internal', { kind: 'unknown', detail: 'http 500, 500.003.1001' }],
  ['any-error-web-firewall', { kind: 'unknown', detail: 'http 503' }],
  // This is the error of a status query. In answer to a push it is no refusal, whatever it means.
  ['query-answer-processing-error', { kind: 'unknown', detail: 'http 500, 500.001.1001' }],
])('the answer to a push %s is read as the outcome listed for it', (name, outcome) => {
  const { status, body } = recorded(name)
  expect(readPushAnswer(status, body)).toEqual(outcome)
})

test.each([
  ['an empty body', 200, ''],
  ['a cut-off body', 200, '{"CheckoutRequestID":"ws_CO_1","Respo'],
  ['a response code other than 0', 200, '{"CheckoutRequestID":"ws_CO_1","ResponseCode":"1"}'],
  [
    'the words of acceptance under a 500',
    500,
    '{"CheckoutRequestID":"ws_CO_1","ResponseCode":"0"}',
  ],
  ['no id of the prompt', 200, '{"ResponseCode":"0"}'],
  ['a known code with an unlisted message', 500, '{"errorCode":"500.001.1001","errorMessage":"?"}'],
])('%s leaves open whether the payer is prompted', (_, status, body) => {
  expect(readPushAnswer(status, Buffer.from(body)).kind).toBe('unknown')
})
