import { recorded } from '../recorded.harness'
import { type RunningSimulator, startSimulator } from '../../start.harness'
import { cardClient, orderId } from './card.harness'

let sim: RunningSimulator
let gateway: ReturnType<typeof cardClient>

beforeEach(async () => {
  sim = await startSimulator()
  gateway = cardClient(sim)
})
afterEach(() => sim.stop())

test('a session is opened as the recorded one is', async () => {
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
  ['an amount that is a number', { order: { amount: 1552 } }, 'order.amount'],
  ['shillings of Kenya without cents', { order: { amount: '1552' } }, 'order.amount'],
  [
    'shillings of Uganda with cents',
    { order: { amount: '5.00', currency: 'UGX' } },
    'order.amount',
  ],
  ['a currency that the bank does not take', { order: { currency: 'USD' } }, 'order.currency'],
  ['an order without a name', { order: { id: '' } }, 'order.id'],
  ['nowhere to come back to', { interaction: { returnUrl: '/return' } }, 'interaction.returnUrl'],
  ['another operation', { interaction: { operation: 'VERIFY' } }, 'interaction.operation'],
])('%s is refused', async (_, changes, field) => {
  const answer = await gateway.ask(changes)
  expect([answer.status, answer.body.error.cause]).toEqual([400, 'INVALID_REQUEST'])
  expect(answer.body.error.explanation).toContain(field)
})

test('another merchant, another password and another version are refused', async () => {
  expect((await gateway.ask({}, false)).status).toBe(401)
  const path = '/api/rest/version/61/merchant/TESTMALIPO/session'
  expect((await sim.wire('POST', path)).status).toBe(401)
  expect((await sim.wire('GET', '/api/rest/version/100/unknown')).status).toBe(400)
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
