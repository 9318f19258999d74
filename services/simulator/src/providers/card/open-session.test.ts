import { ofTest } from '@malipo/testing/lazily'
import { recorded } from '../recorded.harness'
import { card, startSimulator } from '../../start.harness'
import { cardClient, notEnrolled, orderId, type SessionChanges } from './card.harness'

const sim = ofTest(() => startSimulator())
const gateway = cardClient(sim)

test('the answer to a new session has the recorded shape', async () => {
  const answer = await gateway.ask()
  expect(answer.status).toBe(201)
  const shape = recorded('card', 'session-answer').body
  expect(Object.keys(answer.body)).toEqual(Object.keys(shape))
  expect(answer.body.session.id).toMatch(/^SESSION[0-9A-F]{24}$/)
  expect(answer.body.successIndicator).toMatch(/^[0-9a-f]{16}$/)
})

test('the recorded request opens a session', async () => {
  const { body } = recorded('card', 'session-request')
  expect((await gateway.call('POST', '/session', body)).status).toBe(201)
})

test('two sessions of the same order have different ids and success indicators', async () => {
  const [first, second] = [await gateway.open(), await gateway.open()]
  expect(first.id).not.toBe(second.id)
  expect(first.successIndicator).not.toBe(second.successIndicator)
})

test.each([
  ['an amount of no money', { order: { amount: 0 } }, 'order.amount'],
  ['an amount with three decimals', { order: { amount: 15.525 } }, 'order.amount'],
  [
    'shillings of Uganda with cents',
    { order: { amount: '5.00', currency: 'UGX' } },
    'order.amount',
  ],
  ['a currency that the bank does not take', { order: { currency: 'JPY' } }, 'order.currency'],
  [
    'a currency named like a part of any object',
    { order: { currency: 'constructor' } },
    'order.currency',
  ],
  ['an order without a name', { order: { id: '' } }, 'order.id'],
  ['nowhere to come back to', { interaction: { returnUrl: '/return' } }, 'interaction.returnUrl'],
  ['another operation', { interaction: { operation: 'VERIFY' } }, 'interaction.operation'],
])('a session for %s is refused', async (_, changes, field) => {
  const answer = await gateway.ask(changes)
  expect([answer.status, answer.body.error.cause]).toEqual([400, 'INVALID_REQUEST'])
  expect(answer.body.error.explanation).toContain(field)
})

test('another merchant, another password and another version are refused', async () => {
  expect((await gateway.ask({}, false)).status).toBe(401)
  const path = '/api/rest/version/100/merchant/TESTMALIPO/session'
  expect((await sim.wire('POST', path)).status).toBe(401)
  expect((await gateway.ask({ version: '59' })).status).toBe(400)
  expect((await sim.wire('GET', '/api/rest/version/100/unknown')).status).toBe(400)
})

test.each([
  ['a number', { amount: 1552 }, '1552'],
  ['a number with one decimal, in dollars', { amount: 15.5, currency: 'USD' }, '15.50'],
  ['text without decimals', { amount: '1552' }, '1552'],
])(
  'takes an amount that is %s, and shows it when the session is retrieved',
  async (_, order, amount) => {
    const { id } = await gateway.open({ order })
    const { body } = await gateway.call('GET', `/session/${id}`)
    expect(body).toMatchObject({ order: { ...order, amount }, session: { id }, version: '100' })
  },
)

test.each(['60', '73', '100'])(
  'takes calls of version %s of the API, and answers in this version',
  async (version) => {
    const { status, body } = await gateway.ask({ version })
    expect(status).toBe(201)
    await gateway.pay(String(body.session.id), notEnrolled)
    expect((await gateway.order()).body.transaction[0].version).toBe(version)
  },
)

test('takes the old name of the operation in the versions that had it', async () => {
  const apiOperation = 'CREATE_CHECKOUT_SESSION'
  expect((await gateway.ask({ apiOperation, version: '62' })).status).toBe(201)
  expect((await gateway.ask({ apiOperation, version: '63' })).status).toBe(400)
})

test.each<[string, SessionChanges]>([
  ['another version', { version: '73' }],
  ['an amount that is a number', { order: { amount: 1552 } }],
  ['an amount without its decimals', { order: { amount: '1552' } }],
  ['dollars', { order: { currency: 'USD' } }],
  ['nowhere to return to', { interaction: { returnUrl: undefined } }],
])('the strict profile alone refuses %s', async (_, changes) => {
  const strict = await startSimulator({ card: { ...card, profile: 'strict' } })
  expect((await gateway.ask(changes)).status).toBe(201)
  expect((await cardClient(strict).ask(changes)).status).toBe(400)
  await strict.stop()
})

test('an order without a payment is not found', async () => {
  await gateway.open()
  const { status, body } = await gateway.order()
  expect([status, body]).toEqual([400, recorded('card', 'order-error-not-found').body])
  expect(body.error.explanation).toContain(orderId)
})

test('a rule refuses one session as busy, and the next is opened', async () => {
  const effect = { kind: 'error', error: 'busy' }
  await sim.control('POST', '/rules', { on: 'session', effect, times: 1 })
  expect((await gateway.ask()).status).toBe(503)
  expect((await gateway.ask()).status).toBe(201)
})

test('an order is found by an id that is escaped in the path', async () => {
  await gateway.pay((await gateway.open({ order: { id: 'INV 1/26' } })).id, notEnrolled)
  const { status, body } = await gateway.order('INV%201%2F26')
  expect([status, body.id, body.status]).toEqual([200, 'INV 1/26', 'CAPTURED'])
})

test('an order id with a malformed escape in the path is refused with an error of the gateway', async () => {
  const { status, body } = await gateway.order('%E0%A4%A')
  expect([status, body.error.cause]).toEqual([400, 'INVALID_REQUEST'])
})
