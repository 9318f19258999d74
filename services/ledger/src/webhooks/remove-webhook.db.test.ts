import { ledgerOfFile } from '../ledger.harness'
import { webhooks } from './webhooks.harness'

const at = ledgerOfFile()
const hooks = webhooks(at)

test('a removed endpoint is sent no events, is not listed, and cannot be switched on', async () => {
  const own = await hooks.listener()
  const deliveryId = await hooks.waiting(own)
  await at.ledger.removeWebhook(own)
  expect((await at.ledger.beginDelivery({ deliveryId })).message).toBeUndefined()
  expect((await at.ledger.claimDeliveries({ limit: 100 })).deliveryIds).not.toContain(deliveryId)
  expect(await at.ledger.readWebhooks(own)).toEqual({ states: [], deliveries: [] })
  await expect(at.ledger.switchWebhookOn(own)).rejects.toMatchObject({ reason: 'invalid_request' })
})

test("leaves another account's endpoint as it is", async () => {
  const { accountId, endpointId } = await hooks.listener()
  await at.ledger.removeWebhook({ accountId: await at.pay.merchant(), endpointId })
  expect((await at.ledger.readWebhooks({ accountId })).states).toMatchObject([{ endpointId }])
})
