import { majorText } from '@malipo/kernel/money'
import type { Fact } from '@malipo/kernel/provider-fact'
import { readCard, readCardNotification, returnBody } from './inbound'
import { names, recorded } from './recorded.harness'

const orderId = 'pi_0f4c8a5d2b7e4f1c9a6d3e8b'
const paid: Fact = {
  kind: 'confirmed',
  receipt: `${orderId}-1`,
  amountMinor: 155_250n,
  providerRequestId: orderId,
  paidAt: new Date('2026-11-20T11:26:40.561Z'),
}
const declined = (cause: string, providerCode: string) => ({
  ...{ kind: 'declined', cause, providerCode },
  providerRequestId: orderId,
})
const undecided = (providerCode: string, listed: boolean) => ({
  ...{ kind: 'undecided', providerCode, listed },
})

const answers = {
  'order-answer-captured': paid,
  'order-answer-captured-3ds': paid,
  'order-answer-captured-second-card': { ...paid, receipt: `${orderId}-2` },
  'order-answer-partially-captured': { ...paid, amountMinor: 100_000n },
  'order-answer-failed-declined': declined('card_declined', 'DECLINED'),
  'order-answer-failed-expired-card': declined('card_expired', 'EXPIRED_CARD'),
  'order-answer-failed-insufficient-funds': declined('no_funds', 'INSUFFICIENT_FUNDS'),
  'order-answer-failed-acquirer-system-error': declined('busy', 'ACQUIRER_SYSTEM_ERROR'),
  'order-answer-failed-unspecified-failure': declined('refused', 'UNSPECIFIED_FAILURE'),
  'order-answer-failed-timed-out': undecided('TIMED_OUT', true),
  'order-answer-failed-unknown': undecided('UNKNOWN', true),
  'order-answer-failed-unlisted-code': undecided('SOMETHING_NEW', false),
  'order-answer-authentication-initiated': undecided('AUTHENTICATION_INITIATED', true),
  'order-answer-authenticated': undecided('AUTHENTICATED', true),
  'order-answer-authentication-unsuccessful': declined(
    'card_not_authenticated',
    'AUTHENTICATION_UNSUCCESSFUL',
  ),
  'order-answer-cancelled': declined('cancelled', 'CANCELLED'),
  'order-answer-refunded': undecided('REFUNDED', false),
  'order-answer-unlisted-status': undecided('SOMETHING_NEW', false),
  'order-error-not-found': { kind: 'not_found', providerCode: 'ORDER_NOT_FOUND' },
}

describe('a recorded answer about an order', () => {
  test.each(Object.entries(answers))('%s is read as the fact listed for it', (name, fact) => {
    expect(readCard('query_answer', recorded(name).body)).toEqual(fact)
  })

  test('each recorded file has a fact listed', () => {
    const readable = names.filter((name) => name.startsWith('order-'))
    expect(Object.keys(answers).sort()).toEqual(readable.sort())
  })

  test.each(['any-error-busy', 'any-error-server-failed', 'session-error-wrong-credentials'])(
    '%s says nothing about a payment',
    (name) => {
      expect(readCard('query_answer', recorded(name).body).kind).toBe('undecided')
    },
  )
})

test('the status is that of the last of several cards that were tried', () => {
  const json = JSON.parse(recorded('order-answer-failed-declined').body.toString()) as {
    transaction: object[]
  }
  const [declinedStep = {}] = json.transaction
  const open = { ...declinedStep, result: 'PENDING', response: { gatewayCode: 'TIMED_OUT' } }
  const read = (transaction: object[]) =>
    readCard('query_answer', Buffer.from(JSON.stringify({ ...json, transaction })))
  expect(read([declinedStep, open])).toEqual(undecided('TIMED_OUT', true))
  expect(read([open, declinedStep])).toEqual(declined('card_declined', 'DECLINED'))
})

const callbacks = {
  'callback-payment': { kind: 'confirmed', providerRequestId: orderId },
  // The payer may be typing another card at this moment.
  'callback-payment-declined': undecided('DECLINED', true),
  'callback-authentication': undecided('APPROVED', true),
  'callback-malformed-cut-off': {
    kind: 'unreadable',
    detail: 'not a notification of an order',
  },
}

describe('a recorded notification', () => {
  test.each(Object.entries(callbacks))('%s is read as the fact listed for it', (name, fact) => {
    expect(readCard('callback', recorded(name).body)).toEqual(fact)
  })

  test('each recorded file has a fact listed', () => {
    const readable = names.filter((name) => name.startsWith('callback-'))
    expect(Object.keys(callbacks).sort()).toEqual(readable.sort())
  })

  test.each(['callback-payment', 'callback-payment-declined', 'callback-authentication'])(
    '%s means the same with nothing left of the payer in it',
    (name) => {
      const { body } = recorded(name)
      const kept = readCardNotification(body)
      expect(kept?.intentId).toBe(orderId)
      expect(readCard('callback', kept?.body ?? Buffer.of())).toEqual(readCard('callback', body))
      expect(kept?.body.toString()).not.toMatch(/5123|xxxx|amina|kamau|expiry|2547/i)
    },
  )

  test('about an unknown intent names no intent', () => {
    const { body } = recorded('callback-payment')
    const foreign = body.toString().replaceAll(orderId, 'order-77')
    expect(readCardNotification(Buffer.from(foreign))).toBeUndefined()
    expect(readCardNotification(recorded('callback-malformed-cut-off').body)).toBeUndefined()
  })
})

describe('a payer who comes back', () => {
  test.each([
    ['paid', { kind: 'confirmed' }],
    ['unpaid', { kind: 'declined', cause: 'card_declined', providerCode: 'RETURNED_UNPAID' }],
    ['cancelled', { kind: 'declined', cause: 'cancelled', providerCode: 'RETURNED_CANCELLED' }],
  ] as const)('is read as %s', (what, fact) => {
    expect(readCard('callback', returnBody(what))).toEqual(fact)
  })

  test('is no answer about an order', () => {
    expect(readCard('query_answer', returnBody('paid')).kind).toBe('unreadable')
  })
})

describe('an order that is reported as paid', () => {
  const json = JSON.parse(recorded('order-answer-captured').body.toString()) as object
  const read = (change: object) =>
    readCard('query_answer', Buffer.from(JSON.stringify({ ...json, ...change })))

  test.each([
    ['an amount', { totalCapturedAmount: undefined }],
    ['more than nothing', { totalCapturedAmount: 0 }],
    ['a payment', { transaction: [] }],
  ])('without %s is asked about again', (_, change) => {
    expect(read(change)).toEqual(undecided('CAPTURED', false))
  })

  test('in another currency is unreadable, and so not believed', () => {
    expect(read({ currency: 'USD' }).kind).toBe('unreadable')
  })

  test.each([100n, 155_250n, 155_255n, 517_500_000n])(
    'reads an amount of %s minor units alike as a number and as text',
    (amountMinor) => {
      const text = majorText(amountMinor)
      expect(read({ totalCapturedAmount: text })).toMatchObject({ amountMinor })
      const asNumber = JSON.stringify({ ...json, totalCapturedAmount: 0 }).replace(
        '"totalCapturedAmount":0',
        `"totalCapturedAmount":${text}`,
      )
      expect(readCard('query_answer', Buffer.from(asNumber))).toMatchObject({ amountMinor })
    },
  )
})

test.each(['', '[]', 'null', '{"ok":true}', '{"status":{}}', '{"returned":"rich"}'])(
  '"%s" is unreadable',
  (text) => {
    expect(readCard('query_answer', Buffer.from(text)).kind).toBe('unreadable')
    expect(readCard('callback', Buffer.from(text)).kind).toBe('unreadable')
    expect(readCard('statement_row', Buffer.from(text)).kind).toBe('unreadable')
  },
)
