import { ledgerOfFile } from '../ledger.harness'
import { webhooks } from './webhooks.harness'

const at = ledgerOfFile()
const hooks = webhooks(at)

test('shows an enabled endpoint, and its newest deliveries with the result of their last attempt', async () => {
  const own = await hooks.listener()
  const first = await hooks.waiting(own)
  const second = await hooks.paid(own)
  await hooks.attempt(first, 500)
  const { states, deliveries } = await at.ledger.readWebhooks(own)
  expect(states).toMatchObject([
    { endpointId: own.endpointId, offAt: undefined, offBecause: 'WEBHOOK_OFF_UNSPECIFIED' },
  ])
  expect(states[0]?.failingSince).toBeInstanceOf(Date)
  expect(deliveries).toMatchObject([
    { deliveryId: second, status: 'DELIVERY_STATUS_PENDING', attempts: 0, attemptedAt: undefined },
    { deliveryId: first, status: 'DELIVERY_STATUS_PENDING', attempts: 1, answerStatus: 500 },
  ])
  expect(deliveries[1]).toMatchObject({
    type: 'webhook.test',
    subjectId: own.endpointId,
    durationMs: 12,
  })
})

test('shows nothing of another account', async () => {
  await hooks.waiting(await hooks.listener())
  const accountId = await at.pay.merchant()
  expect(await at.ledger.readWebhooks({ accountId })).toEqual({ states: [], deliveries: [] })
})
