import { ledgerOfFile } from '../ledger.harness'
import { present } from '../payments.harness'
import { newEndpointId, webhooks } from './webhooks.harness'

const at = ledgerOfFile()
const hooks = webhooks(at)

test('a test event is delivered only to the endpoint that it names', async () => {
  const own = await hooks.listener()
  await at.ledger.switchWebhookOn({ ...own, endpointId: newEndpointId() })
  await at.ledger.sendTestEvent(own)
  expect(await hooks.deliveries(own.accountId)).toMatchObject([
    { endpointId: own.endpointId, type: 'webhook.test', subjectId: own.endpointId },
  ])
})

test('sends a test event that waits for the endpoint now instead of a second one, also for two presses at once', async () => {
  const own = await hooks.listener()
  await Promise.all([1, 2].map(() => at.ledger.sendTestEvent(own)))
  const [delivery, ...more] = await hooks.deliveries(own.accountId)
  const { deliveryId } = present(delivery)
  expect(more).toEqual([])
  await hooks.attempt(deliveryId, 500)
  expect(await hooks.deliveries(own.accountId)).toMatchObject([{ deliveryId, attempts: 1 }])
  await at.ledger.sendTestEvent(own)
  expect(await hooks.deliveries(own.accountId)).toMatchObject([{ deliveryId, attempts: 0 }])
  await hooks.attempt(deliveryId, 200)
  await at.ledger.sendTestEvent(own)
  expect(await hooks.events(own.accountId)).toHaveLength(2)
})

test("refuses an endpoint that is off, unknown or another account's", async () => {
  const removed = await hooks.listener()
  await at.ledger.removeWebhook(removed)
  const { endpointId } = await hooks.listener()
  const accountId = await at.pay.merchant()
  for (const own of [
    removed,
    { accountId, endpointId: newEndpointId() },
    { accountId, endpointId },
  ]) {
    await expect(at.ledger.sendTestEvent(own)).rejects.toMatchObject({
      reason: 'invalid_request',
      facts: { field: 'endpoint_id' },
    })
  }
})
