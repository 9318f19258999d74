import type { Clock } from '@malipo/runtime/clock'
import { type RunningSimulator, startSimulator, wallMs } from '../../start.harness'
import { cardClient, notEnrolled, orderId } from './card.harness'

let sim: RunningSimulator
let gateway: ReturnType<typeof cardClient>
let clock: Clock & { aheadMs: number }

beforeEach(async () => {
  clock = { aheadMs: 0, now: () => wallMs + clock.aheadMs }
  sim = await startSimulator({}, clock)
  gateway = cardClient(sim)
  await gateway.pay((await gateway.open()).id, notEnrolled)
})
afterEach(() => sim.stop())

const voided = { apiOperation: 'VOID', transaction: { targetTransactionId: '1' } }
const refund = (amount: string) => ({
  apiOperation: 'REFUND',
  transaction: { amount, currency: 'KES' },
})

test('a payment of today is voided once, and a repeated request gets the same answer', async () => {
  const first = await gateway.change('reversal', voided)
  const again = await gateway.change('reversal', voided)
  expect([first.status, first.body.result]).toEqual([201, 'SUCCESS'])
  expect(again.body.transaction).toEqual(first.body.transaction)
  expect((await gateway.order()).body.status).toBe('CANCELLED')
  expect((await sim.control('GET', '/book')).body).toMatchObject([
    { kind: 'card_payment', amount: '155200' },
    {
      kind: 'card_void',
      amount: '155200',
      receipt: `${orderId}-reversal`,
      account: `${orderId}-1`,
    },
  ])
})

test('a payment of yesterday can be refunded, and no longer voided', async () => {
  clock.aheadMs = 86_400_000
  const refused = await gateway.change('reversal', voided)
  expect([refused.status, refused.body.error.cause]).toEqual([400, 'INVALID_REQUEST'])
  expect((await gateway.change('reversal-2', refund('1552.00'))).body.result).toBe('SUCCESS')
  expect((await gateway.order()).body).toMatchObject({
    status: 'REFUNDED',
    totalRefundedAmount: 1552,
  })
})

test.each([
  ['DECLINED', 'FAILURE'],
  ['TIMED_OUT', 'PENDING'],
])(
  'a rule answers a void with the code %s and the result %s, and the payment stays',
  async (code, result) => {
    const effect = { kind: 'lie', code }
    await sim.control('POST', '/rules', { on: 'refund', effect, times: 1 })
    const { status, body } = await gateway.change('reversal', voided)
    expect([status, body.result, body.response.gatewayCode]).toEqual([201, result, code])
    expect((await gateway.order()).body.status).toBe('CAPTURED')
    expect((await sim.control('GET', '/book')).body).toHaveLength(1)
    expect((await gateway.change('reversal-2', voided)).body.result).toBe('SUCCESS')
  },
)

test('refuses to refund more than was paid', async () => {
  expect((await gateway.change('a', refund('1000.00'))).status).toBe(201)
  expect((await gateway.change('b', refund('1000.00'))).status).toBe(400)
  expect((await gateway.change('c', voided)).status).toBe(400)
  expect((await gateway.order()).body.status).toBe('PARTIALLY_REFUNDED')
})

describe('an order that was authorised', () => {
  const capture = (amount: string) => ({
    apiOperation: 'CAPTURE',
    transaction: { amount, currency: 'KES' },
  })
  const held = 'pi_1b9a6d3e8b0f4c8a5d2b7e4f'
  const change = (id: string, body: object) =>
    gateway.call('PUT', `/order/${held}/transaction/${id}`, body)
  const book = async () => ((await sim.control('GET', '/book')).body as readonly unknown[]).slice(1)

  beforeEach(async () => {
    const order = { id: held }
    const { id } = await gateway.open({ order, interaction: { operation: 'AUTHORIZE' } })
    await gateway.pay(id, notEnrolled)
  })

  test('moves no money until it is captured, in parts and never more than was authorised', async () => {
    expect((await gateway.order(held)).body).toMatchObject({
      status: 'AUTHORIZED',
      totalAuthorizedAmount: 1552,
      totalCapturedAmount: 0,
    })
    expect(await book()).toEqual([])
    expect((await change('c1', capture('1000.00'))).body.order.status).toBe('PARTIALLY_CAPTURED')
    expect((await change('c1', capture('1000.00'))).status).toBe(201)
    expect((await change('c2', capture('553.00'))).status).toBe(400)
    expect((await change('c3', capture('552.00'))).body.order.status).toBe('CAPTURED')
    expect(await book()).toMatchObject([
      { kind: 'card_payment', amount: '100000', receipt: `${held}-c1` },
      { kind: 'card_payment', amount: '55200', receipt: `${held}-c3` },
    ])
    expect((await change('r1', refund('1552.00'))).body.order.status).toBe('REFUNDED')
  })

  test('can be voided once, and then not be captured', async () => {
    expect((await change('v1', voided)).body.transaction.type).toBe('VOID_AUTHORIZATION')
    expect((await gateway.order(held)).body.status).toBe('CANCELLED')
    expect((await change('v2', voided)).status).toBe(400)
    expect((await change('c1', capture('1.00'))).status).toBe(400)
    expect(await book()).toEqual([])
  })

  test('is shown with each of its steps', async () => {
    const step = await gateway.call('GET', `/order/${held}/transaction/1`)
    expect([step.status, step.body.transaction.type]).toEqual([200, 'AUTHORIZATION'])
    expect((await gateway.call('GET', `/order/${held}/transaction/2`)).status).toBe(400)
  })
})
