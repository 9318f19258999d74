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

test('refuses a test event while one waits for the endpoint, also when both are sent at once', async () => {
  const own = await hooks.listener()
  const refused = { reason: 'invalid_request', facts: { field: 'test_event' } }
  const both = await Promise.allSettled([1, 2].map(() => at.ledger.sendTestEvent(own)))
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await expect(at.ledger.sendTestEvent(own)).rejects.toMatchObject(refused)
  const [delivery] = await hooks.deliveries(own.accountId)
  await hooks.attempt(present(delivery).deliveryId, 500)
  await expect(at.ledger.sendTestEvent(own)).rejects.toMatchObject(refused)
  await hooks.attempt(present(delivery).deliveryId, 200)
  await hooks.paid(own)
  await at.ledger.sendTestEvent(own)
  expect(await hooks.events(own.accountId)).toHaveLength(3)
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
