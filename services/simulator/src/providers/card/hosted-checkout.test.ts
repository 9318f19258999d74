import { ofTest } from '@malipo/testing/lazily'
import { eventually } from '@malipo/testing/eventually'
import { recorded } from '../recorded.harness'
import { card, startSimulator } from '../../start.harness'
import { cardClient, enrolled, notEnrolled, openNotified, orderId, returnUrl } from './card.harness'

const sim = ofTest(() => startSimulator())
const gateway = cardClient(sim)
const hook = ofTest(() => openNotified())

const open = (interaction = {}) =>
  gateway.open({ order: { notificationUrl: hook.url }, interaction })
const received = (count: number) =>
  eventually(`${String(count)} notifications`, () => hook.notified.length === count)

test('a card without 3-D Secure pays at once, and the browser returns with the success indicator', async () => {
  const session = await open()
  expect((await gateway.browse(`/checkout/pay/${session.id}`)).text).toContain('KES 1552')
  const page = await gateway.pay(session.id, notEnrolled)
  expect(page.status).toBe(303)
  const back = new URL(page.location ?? '')
  expect(back.origin + back.pathname).toBe(returnUrl)
  expect(back.searchParams.get('resultIndicator')).toBe(session.successIndicator)

  const { body } = await gateway.order()
  expect(body).toMatchObject({ status: 'CAPTURED', totalCapturedAmount: 1552, currency: 'KES' })
  const missing = new Set(Object.keys(recorded('card', 'order-answer-captured').body))
  for (const key of Object.keys(body)) missing.delete(key)
  expect([...missing].sort()).toEqual([
    'merchantAmount',
    'merchantCurrency',
    'totalDisbursedAmount',
  ])

  await received(1)
  expect(hook.notified[0]).toMatchObject({
    secret: card.notificationSecret,
    body: { order: { id: orderId, status: 'CAPTURED' }, transaction: { type: 'PAYMENT', id: '1' } },
  })
  const book = (await sim.control('GET', '/book')).body
  expect(book).toMatchObject([
    { receipt: `${orderId}-1`, provider: 'card', kind: 'card_payment', amount: '155200' },
  ])
})

test('a card with 3-D Secure pays after the bank has asked the payer, and two notifications are sent', async () => {
  const session = await open()
  expect((await gateway.pay(session.id, enrolled)).location).toBe(`/checkout/3ds/${session.id}`)
  expect((await gateway.order()).body.status).toBe('AUTHENTICATION_INITIATED')
  const answer = await gateway.browse(`/checkout/3ds/${session.id}`)
  expect(answer.text).toContain('512345xxxxxx0008')
  const page = await gateway.prove(session.id, 'yes')
  expect(page.location).toContain(`resultIndicator=${session.successIndicator}`)
  await received(2)
  const types = hook.notified.map(({ body }) => body.transaction.type)
  expect(types.sort()).toEqual(['AUTHENTICATION', 'PAYMENT'])
})

test('a payer who fails 3-D Secure pays nothing, and may try another card', async () => {
  const session = await open()
  await gateway.pay(session.id, enrolled)
  const page = await gateway.prove(session.id, 'no')
  expect([page.status, page.location]).toEqual([422, undefined])
  expect((await gateway.order()).body.status).toBe('AUTHENTICATION_UNSUCCESSFUL')
  expect((await gateway.pay(session.id, notEnrolled)).status).toBe(303)
  expect((await gateway.order()).body.status).toBe('CAPTURED')
})

test.each([
  ['05/39', 'DECLINED', 'FAILURE'],
  ['04/27', 'EXPIRED_CARD', 'FAILURE'],
  ['08/28', 'TIMED_OUT', 'PENDING'],
  ['01/37', 'ACQUIRER_SYSTEM_ERROR', 'FAILURE'],
  ['02/37', 'UNSPECIFIED_FAILURE', 'FAILURE'],
  ['05/37', 'UNKNOWN', 'UNKNOWN'],
  ['12/30', 'DECLINED', 'FAILURE'],
])(
  'a card with the expiry %s fails with the gateway code %s',
  async (expiry, gatewayCode, result) => {
    const session = await open()
    const page = await gateway.pay(session.id, notEnrolled, expiry)
    expect([page.status, page.text.includes(gatewayCode)]).toEqual([422, true])
    expect((await gateway.order()).body).toMatchObject({
      status: 'FAILED',
      totalCapturedAmount: 0,
      transaction: [{ result, response: { gatewayCode } }],
    })
    expect((await sim.control('GET', '/book')).body).toEqual([])
  },
)

test('a number that is no test card is refused on the page, which does not show the number', async () => {
  const session = await open()
  const page = await gateway.pay(session.id, '4111111111111111')
  expect(page.status).toBe(422)
  expect(page.text).not.toContain('4111111111111111')
  expect((await gateway.order()).status).toBe(400)
})

test('no card number is in events, book, orders or notifications of the simulator', async () => {
  const session = await open()
  await gateway.pay(session.id, enrolled)
  await gateway.prove(session.id, 'yes')
  await received(2)
  const texts = [
    await sim.control('GET', '/events'),
    await sim.control('GET', '/book'),
    await gateway.order(),
  ].map(({ body }) => JSON.stringify(body))
  for (const text of [...texts, JSON.stringify(hook.notified)]) expect(text).not.toContain(enrolled)
})

test('a session that has timed out or is paid redirects to the merchant without another payment', async () => {
  const late = await open({ timeout: 60 })
  await sim.jump(60_000)
  expect((await gateway.pay(late.id, notEnrolled)).location).toContain('left=timed_out')
  const session = await open()
  await gateway.pay(session.id, notEnrolled)
  const again = await gateway.pay(session.id, notEnrolled)
  expect(again.location).toContain(session.successIndicator)
  expect((await gateway.pay((await open()).id, notEnrolled)).status).toBe(303)
  expect((await sim.control('GET', '/book')).body).toHaveLength(1)
})

test('the page of an unknown session returns 404, and the 3-D Secure page without a card leads back to the card form', async () => {
  expect((await gateway.browse('/checkout/pay/SESSION0002')).status).toBe(404)
  const session = await open()
  expect((await gateway.browse(`/checkout/3ds/${session.id}`)).location).toContain('/checkout/pay/')
})

test('a rule drops the first of two notifications, and the second arrives', async () => {
  await sim.control('POST', '/rules', { on: 'callback', effect: { kind: 'drop' }, times: 1 })
  const session = await open()
  await gateway.pay(session.id, enrolled)
  await gateway.prove(session.id, 'yes')
  await received(1)
  expect(hook.notified[0]?.body.transaction.type).toBe('PAYMENT')
})

test('a rule sends a notification twice', async () => {
  const effect = { kind: 'duplicate', copies: 2 }
  await sim.control('POST', '/rules', { on: 'callback', effect })
  await gateway.pay((await open()).id, notEnrolled)
  await received(2)
})

test('rules can delay a notification and send it with a wrong secret', async () => {
  await sim.control('POST', '/rules', { on: 'callback', effect: { kind: 'delay', ms: 60_000 } })
  await sim.control('POST', '/rules', { on: 'callback', effect: { kind: 'wrong_secret' } })
  await gateway.pay((await open()).id, notEnrolled)
  expect(hook.notified).toEqual([])
  await sim.jump(60_000)
  await received(1)
  expect(hook.notified[0]?.secret).not.toBe(card.notificationSecret)
})

test('a replayed notification carries the secret, which the event does not show', async () => {
  await gateway.pay((await open()).id, notEnrolled)
  const { body } = await sim.control('POST', '/expect', { kind: 'callback_delivered' })
  const path = `/events/${String(body.events[0].id)}`
  expect((await sim.control('POST', `${path}/replay`, {})).status).toBe(200)
  expect(hook.notified.map(({ secret }) => secret)).toEqual([
    card.notificationSecret,
    card.notificationSecret,
  ])
  const { exchange } = (await sim.control('GET', path)).body
  expect(exchange.headers).toMatchObject({ 'x-notification-secret': '***' })
  expect(JSON.stringify(exchange)).not.toContain(card.notificationSecret)
})

test('a rule can put another amount in a notification', async () => {
  const effect = { kind: 'amount', amount: '100' }
  await sim.control('POST', '/rules', { on: 'callback', effect })
  await gateway.pay((await open()).id, notEnrolled)
  await received(1)
  expect(hook.notified[0]?.body.transaction.amount).toBe(1)
})

test('a rule can make the order of a paid session read as failed', async () => {
  await gateway.pay((await open()).id, notEnrolled)
  await sim.control('POST', '/rules', { on: 'query', effect: { kind: 'lie', code: 'FAILED' } })
  expect((await gateway.order()).body.status).toBe('FAILED')
})
