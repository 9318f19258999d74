import { useNock } from '../nock.harness'
import nock from 'nock'
import type { Refunds } from '../rail'
import { openCard } from './client'
import { recorded } from './recorded.harness'
import { readCardRefund } from './refund-answer'

const baseUrl = 'https://ap-gateway.mastercard.com'
const settings = {
  ...{ baseUrl, version: '100', merchantId: 'TESTMALIPO', apiPassword: 'api-password' },
  merchantName: 'Malipo Payments',
}
const orderId = 'pi_0f4c8a5d2b7e4f1c9a6d3e8b'
const refundId = 'rf_1f4c8a5d2b7e4f1c9a6d3e8b'
const order = {
  ...{ refundId, receipt: `${orderId}-1`, amountMinor: 155_200n, currency: 'KES' as const },
  callbackUrl: 'https://callbacks.example.com/callbacks/0f4c8a5d',
}
const orderPath = `/api/rest/version/100/merchant/TESTMALIPO/order/${orderId}`
const voidId = `${refundId}-void`
const refundTransactionId = `${refundId}-refund`

const events: string[] = []

useNock()

beforeEach(() => {
  events.length = 0
})

function open(): Refunds {
  const wait = () => Promise.resolve()
  return openCard(settings, {
    now: () => 0,
    wait,
    takeTurn: () => Promise.resolve(0),
    countEvent: (name) => events.push(name),
  }).refunds
}

const voided = { apiOperation: 'VOID', transaction: { targetTransactionId: '1' } }
const refunded = {
  apiOperation: 'REFUND',
  transaction: { amount: '1552.00', currency: 'KES' },
}

function ordered(name = 'order-answer-captured'): void {
  nock(baseUrl).get(orderPath).reply(200, recorded(name).body)
}

/** The gateway answers with another order, which was paid as well. */
function orderedAnother(): void {
  const captured = JSON.parse(recorded('order-answer-captured').body.toString()) as object
  nock(baseUrl)
    .get(orderPath)
    .reply(200, { ...captured, id: `pi_${'f'.repeat(24)}` })
}

/** Expects one call with exactly this transaction id and body; any other call fails the test. */
function put(transactionId: string, body: nock.DataMatcherMap) {
  return nock(baseUrl)
    .put(`${orderPath}/transaction/${transactionId}`, body)
    .basicAuth({ user: 'merchant.TESTMALIPO', pass: 'api-password' })
}

const step = (id: string, result: string, gatewayCode: string) => ({
  ...{ result, response: { gatewayCode } },
  transaction: { id, type: 'VOID_PAYMENT', amount: 1552, currency: 'KES' },
})

/** The answer about a paid order, with these changes. */
function orderWith(changes: { readonly status?: string; readonly step?: object }) {
  const { status = 'CAPTURED', step: made } = changes
  const paid = JSON.parse(recorded('order-answer-captured').body.toString()) as {
    readonly transaction: readonly object[]
  }
  return { ...paid, status, transaction: [...paid.transaction, ...(made ? [made] : [])] }
}

/** The results and codes of a void whose outcome the bank has not confirmed. */
const openEnds = [
  ['PENDING', 'TIMED_OUT'],
  ['UNKNOWN', 'UNKNOWN'],
  ['FAILURE', 'TIMED_OUT'],
  ['FAILURE', 'SOMETHING_NEW'],
] as const

const tooLate = () => put(voidId, voided).reply(400, recorded('void-error-settled').body)

test('a payment that the bank has not settled is voided, by our own transaction name', async () => {
  ordered()
  put(voidId, voided).reply(201, step(voidId, 'SUCCESS', 'APPROVED'))
  expect(await open().send(order)).toEqual({ kind: 'accepted', providerRequestId: voidId })
})

test('refunds a settled payment with the total that the payer gave', async () => {
  ordered()
  tooLate()
  put(refundTransactionId, refunded).reply(201, step(refundTransactionId, 'SUCCESS', 'APPROVED'))
  expect(await open().send(order)).toEqual({
    kind: 'accepted',
    providerRequestId: refundTransactionId,
  })
})

test('refunds in Uganda have no decimals', async () => {
  ordered()
  tooLate()
  put(refundTransactionId, {
    apiOperation: 'REFUND',
    transaction: { amount: '5175000', currency: 'UGX' },
  }).reply(201, step(refundTransactionId, 'SUCCESS', 'APPROVED'))
  const ugandan = { ...order, amountMinor: 517_500_000n, currency: 'UGX' as const }
  expect(await open().send(ugandan)).toMatchObject({ kind: 'accepted' })
})

test.each(['ECONNRESET', 'ETIMEDOUT'])(
  'a lost answer (%s) to a VOID is unknown: neither repeated nor followed by a REFUND',
  async (code) => {
    ordered()
    put(voidId, voided).replyWithError(Object.assign(new Error(), { code }))
    expect(await open().send(order)).toEqual({ kind: 'unknown', detail: code })
  },
)

test.each([
  ['a server that failed', 500, recorded('any-error-server-failed').body],
  ['a server that is busy', 503, recorded('any-error-busy').body],
  ['a bank whose answer was lost', 201, step(voidId, 'FAILURE', 'TIMED_OUT')],
  ['a code without a row', 201, step(voidId, 'FAILURE', 'SOMETHING_NEW')],
  ['a step that is on its way', 201, step(voidId, 'PENDING', 'PENDING')],
  ['a step of another name', 201, step('other', 'SUCCESS', 'APPROVED')],
  ['no JSON', 200, '<html>'],
])('%s leaves the VOID unknown, and no REFUND follows', async (_, status, body) => {
  ordered()
  put(voidId, voided).reply(status, body)
  expect((await open().send(order)).kind).toBe('unknown')
})

test('a refund is refused when the bank declines both the void and the refund', async () => {
  ordered()
  put(voidId, voided).reply(201, step(voidId, 'FAILURE', 'DECLINED'))
  put(refundTransactionId, refunded).reply(201, step(refundTransactionId, 'FAILURE', 'BLOCKED'))
  const refused = { kind: 'refused', cause: 'refused', providerCode: 'BLOCKED' }
  expect(await open().send(order)).toEqual(refused)
  expect(events).toEqual([])
})

test('a revoked password is refused at the first call and counts provider_misconfigured', async () => {
  ordered()
  put(voidId, voided).reply(401, recorded('session-error-wrong-credentials').body)
  expect((await open().send(order)).kind).toBe('refused')
  expect(events).toEqual(['provider_misconfigured'])
})

test('a payment that was posted under another step is given back, by the step that the order shows', async () => {
  ordered()
  put(voidId, voided).reply(201, step(voidId, 'SUCCESS', 'APPROVED'))
  const posted = { ...order, receipt: `${orderId}-7` }
  expect(await open().send(posted)).toEqual({ kind: 'accepted', providerRequestId: voidId })
})

test('a step whose id has dashes is voided by its whole id', async () => {
  const paid = JSON.parse(
    recorded('order-answer-captured').body.toString().replaceAll('"id":"1"', '"id":"1-a-b"'),
  ) as object
  nock(baseUrl).get(orderPath).reply(200, paid)
  const target = { apiOperation: 'VOID', transaction: { targetTransactionId: '1-a-b' } }
  put(voidId, target).reply(201, step(voidId, 'SUCCESS', 'APPROVED'))
  const posted = { ...order, receipt: `${orderId}-1-a-b` }
  expect(await open().send(posted)).toEqual({ kind: 'accepted', providerRequestId: voidId })
})

test('an order that was refunded before is not refunded again', async () => {
  ordered('order-answer-refunded')
  const before = { kind: 'accepted', providerRequestId: `${orderId}-reversal` }
  expect(await open().send(order)).toEqual(before)
})

test.each(openEnds)(
  'sends nothing beside an earlier void that is %s (%s)',
  async (result, code) => {
    nock(baseUrl)
      .get(orderPath)
      .reply(200, orderWith({ step: step('rf_0-void', result, code) }))
    const refused = { kind: 'refused', cause: 'refused', providerCode: 'NOT_REFUNDABLE' }
    expect(await open().send(order)).toEqual(refused)
  },
)

test('sends nothing while the state of the order is unknown', async () => {
  nock(baseUrl).get(orderPath).reply(503, recorded('any-error-busy').body)
  expect((await open().send(order)).kind).toBe('not_sent')
})

test('sends nothing after an answer about another order', async () => {
  orderedAnother()
  const notSent = { kind: 'not_sent', detail: 'no answer about the order' }
  expect(await open().send(order)).toEqual(notSent)
})

test.each(['order-answer-failed-declined', 'order-answer-authenticated'])(
  'an order that was not paid (%s) is not refunded',
  async (name) => {
    ordered(name)
    const refused = { kind: 'refused', cause: 'refused', providerCode: 'NOT_REFUNDABLE' }
    expect(await open().send(order)).toEqual(refused)
  },
)

describe('how a refund stands', () => {
  const question = {
    ...{ receipt: `${orderId}-1`, providerRequestId: voidId },
    answerUrl: 'https://callbacks.example.com/callbacks/1',
  }
  async function factAbout(name: string) {
    ordered(name)
    const answer = await open().ask(question)
    if (answer.kind !== 'answered') throw new Error(answer.kind)
    expect(Buffer.from(answer.body).toString()).not.toMatch(/5123|xxxx|amina|kamau|2547/i)
    return readCardRefund('query_answer', answer.body)
  }

  test.each(['order-answer-cancelled', 'order-answer-refunded'])(
    'reads from an order (%s) that all was given back, and the receipt of that step',
    async (name) => {
      expect(await factAbout(name)).toEqual({
        ...{ kind: 'confirmed', receipt: `${orderId}-reversal`, amountMinor: 155_250n },
      })
    },
  )

  test('reads the receipt of the payment while nothing was given back', async () => {
    const stands = { kind: 'confirmed', receipt: `${orderId}-1`, paymentStands: true }
    expect(await factAbout('order-answer-captured')).toMatchObject(stands)
  })

  test.each([
    ['a part', { amount: 100 }],
    ['no amount', { amount: undefined }],
  ])('is undecided when the order shows %s given back', (_, changes) => {
    const json = JSON.parse(recorded('order-answer-refunded').body.toString()) as {
      transaction: { transaction: object }[]
    }
    Object.assign(json.transaction[1]?.transaction ?? {}, changes)
    const fact = readCardRefund('query_answer', Buffer.from(JSON.stringify(json)))
    expect(fact).toMatchObject({ kind: 'undecided', listed: true })
  })

  const read = (changes: Parameters<typeof orderWith>[0]) =>
    readCardRefund('query_answer', Buffer.from(JSON.stringify(orderWith(changes))))

  test.each(openEnds)('is undecided while a void is %s (%s)', (result, providerCode) => {
    const undecided = { kind: 'undecided', providerCode, listed: true }
    expect(read({ step: step(voidId, result, providerCode) })).toEqual(undecided)
  })

  test('reads the receipt of the payment beside a void that the bank has declined', () => {
    const receipt = `${orderId}-1`
    const declined = step(voidId, 'FAILURE', 'DECLINED')
    expect(read({ step: declined })).toMatchObject({ kind: 'confirmed', receipt })
  })

  test('is undecided when the order is cancelled and no step shows what gave the money back', () => {
    const undecided = { kind: 'undecided', providerCode: 'CANCELLED', listed: true }
    expect(read({ status: 'CANCELLED' })).toEqual(undecided)
  })

  test('cannot be read from a notification, only from a status query', () => {
    const { body } = recorded('callback-payment')
    expect(readCardRefund('callback', body).kind).toBe('unreadable')
  })

  test('is unanswered when the answer is about another order', async () => {
    orderedAnother()
    expect(await open().ask(question)).toEqual({ kind: 'unanswered', detail: 'another order' })
  })

  test('is unanswered when the gateway is busy', async () => {
    nock(baseUrl).get(orderPath).reply(503, recorded('any-error-busy').body)
    expect((await open().ask(question)).kind).toBe('unanswered')
  })
})
