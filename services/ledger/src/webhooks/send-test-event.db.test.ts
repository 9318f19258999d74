import { ledgerOfFile } from '../ledger.harness'
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
