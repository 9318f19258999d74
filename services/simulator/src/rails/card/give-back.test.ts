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
  const first = await gateway.giveBack('reversal', voided)
  const again = await gateway.giveBack('reversal', voided)
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
  const refused = await gateway.giveBack('reversal', voided)
  expect([refused.status, refused.body.error.cause]).toEqual([400, 'INVALID_REQUEST'])
  expect((await gateway.giveBack('reversal-2', refund('1552.00'))).body.result).toBe('SUCCESS')
  expect((await gateway.order()).body).toMatchObject({
    status: 'REFUNDED',
    totalRefundedAmount: 1552,
  })
})

test('refuses to refund more than was paid', async () => {
  expect((await gateway.giveBack('a', refund('1000.00'))).status).toBe(201)
  expect((await gateway.giveBack('b', refund('1000.00'))).status).toBe(400)
  expect((await gateway.giveBack('c', voided)).status).toBe(400)
  expect((await gateway.order()).body.status).toBe('PARTIALLY_REFUNDED')
})
