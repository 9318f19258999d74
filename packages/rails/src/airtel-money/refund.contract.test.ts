import nock from 'nock'
import { readAirtelRefund } from './refund'
import {
  answer,
  baseUrl,
  enquiryPath,
  openRail,
  own,
  paymentHeaders,
  tokenPath,
  transactionId,
  useOwnProcess,
} from './client.harness'
import { recorded } from './recorded.harness'

useOwnProcess()

const refundPath = '/standard/v1/payments/refund'
const order = {
  refundId: 'rf_0f4c8a5d2b7e4f1c9a6d3e8b',
  receipt: 'MP261120.1425.L06941',
  amountMinor: 500_000n,
  currency: 'UGX' as const,
  callbackUrl: 'https://callbacks.example.com/callbacks/0f4c8a5d2b7e4f1c9a6d3e8b5c2f7a10',
}
const send = () => openRail({ refunds: true }).refunds?.send(order)

test('orders a refund word for word as documented, and its answer is the verdict', async () => {
  answer('post', tokenPath, 'token-answer')
  const { body } = recorded('refund-answer-success')
  nock(baseUrl, { reqheaders: paymentHeaders })
    .post(refundPath, JSON.parse(recorded('refund-request').body.toString()))
    .reply(200, body)
  expect(await send()).toEqual({
    kind: 'accepted',
    providerRequestId: 'CI261120.1549.C00029',
    verdict: body,
  })
})

test.each([
  ['refund-answer-not-found', 'DP00800001025'],
  ['pay-error-router-country', 'ROUTER006'],
])('a refund is refused by %s, and counts provider_misconfigured', async (name, providerCode) => {
  answer('post', tokenPath, 'token-answer')
  answer('post', refundPath, name)
  expect(await send()).toEqual({ kind: 'refused', cause: 'refused', providerCode })
  expect(own.events).toEqual(['provider_misconfigured'])
})

test('a refund is refused where a fresh token is refused too', async () => {
  answer('post', tokenPath, 'token-answer', 2)
  answer('post', refundPath, 'any-error-invalid-token', 2)
  expect(await send()).toMatchObject({ kind: 'refused', providerCode: 'http 401' })
})

test('a refund that Airtel turns away for its rate is refused, and can be asked for again', async () => {
  answer('post', tokenPath, 'token-answer')
  answer('post', refundPath, 'any-error-too-many-requests')
  expect(await send()).toEqual({ kind: 'refused', cause: 'busy', providerCode: 'http 429' })
  expect(own.events).toEqual(['provider_throttled'])
})

test('a refund is not sent while Airtel takes no call more in this minute', async () => {
  const rail = openRail({ refunds: true })
  answer('post', tokenPath, 'token-answer')
  nock(baseUrl)
    .get(enquiryPath)
    .reply(200, recorded('enquiry-answer-success').body, { 'x-ratelimit-remaining-minute': '0' })
  await rail.askStatus(transactionId)
  const notSent = {
    kind: 'not_sent',
    detail: 'no call left in this minute beside those for payers who wait',
  }
  expect(await rail.refunds?.send(order)).toEqual(notSent)
})

test.each([
  ['refund-answer-again', 'http 200, ESB000011'],
  ['any-error-connection-timeout', 'http 408'],
  ['any-error-bad-gateway', 'http 502'],
  ['pay-answer-ambiguous', 'http 200, DP00800001000'],
  // "Accepted" means that the payer is prompted; for a refund it proves nothing.
  ['pay-answer-accepted', 'http 200, DP00800001006'],
])('a refund stays undecided after %s', async (name, detail) => {
  answer('post', tokenPath, 'token-answer')
  answer('post', refundPath, name)
  expect(await send()).toEqual({ kind: 'unknown', detail })
})

test.each([
  ['success that is still in process', 200, 'refund-answer-success', 'DP00800001006'],
  ['"not found" under a fault', 500, 'refund-answer-not-found', 'DP00800001025'],
])('a refund stays undecided after %s', async (_, status, name, code) => {
  answer('post', tokenPath, 'token-answer')
  const body = JSON.parse(recorded(name).body.toString()) as { status: object }
  const changed = { ...body, status: { ...body.status, response_code: code } }
  nock(baseUrl).post(refundPath).reply(status, changed)
  expect(await send()).toEqual({ kind: 'unknown', detail: `http ${String(status)}, ${code}` })
})

test('a refund is not sent again after a lost answer, and has no status query', async () => {
  answer('post', tokenPath, 'token-answer')
  nock(baseUrl)
    .post(refundPath)
    .replyWithError(Object.assign(new Error(), { code: 'ECONNRESET' }))
  expect(await send()).toEqual({ kind: 'unknown', detail: 'ECONNRESET' })
  const question = { receipt: order.receipt, providerRequestId: undefined, answerUrl: '' }
  expect(await openRail({ refunds: true }).refunds?.ask(question)).toMatchObject({
    kind: 'unanswered',
  })
})

test('refunds are left to operators where the setting is off', () => {
  expect(openRail().refunds).toBeUndefined()
})

test.each([
  ['refund-answer-success', { kind: 'confirmed' }],
  ['refund-answer-again', { kind: 'undecided', providerCode: 'no word of success', listed: true }],
])('the stored answer %s is read with the meaning that it had when it came', (name, fact) => {
  expect(readAirtelRefund('query_answer', recorded(name).body)).toEqual(fact)
  expect(readAirtelRefund('callback', recorded(name).body).kind).toBe('unreadable')
})
