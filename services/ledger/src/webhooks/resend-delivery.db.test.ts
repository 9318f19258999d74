import { ledgerOfFile } from '../ledger.harness'
import { webhooks } from './webhooks.harness'

const at = ledgerOfFile()
const hooks = webhooks(at)

test('a delivery that succeeded is sent again with the same event id', async () => {
  const own = await hooks.listener()
  const deliveryId = await hooks.waiting(own)
  const { eventId } = await hooks.attempt(deliveryId, 200)
  await at.ledger.resendDelivery({ accountId: own.accountId, deliveryId })
  expect((await at.ledger.claimDeliveries({ limit: 100 })).deliveryIds).toEqual([deliveryId])
  expect((await at.ledger.beginDelivery({ deliveryId })).message).toMatchObject({ eventId })
})

test('a delivery that a worker is sending is not sent again', async () => {
  const own = await hooks.listener()
  const deliveryId = await hooks.waiting(own)
  await at.ledger.beginDelivery({ deliveryId })
  await at.ledger.resendDelivery({ accountId: own.accountId, deliveryId })
  expect((await at.ledger.claimDeliveries({ limit: 100 })).deliveryIds).not.toContain(deliveryId)
})

test('refuses a delivery of another account, and one whose endpoint is off', async () => {
  const own = await hooks.listener()
  const deliveryId = await hooks.waiting(own)
  const refused = { reason: 'invalid_request', facts: { field: 'delivery_id' } }
  const other = await at.pay.merchant()
  await expect(at.ledger.resendDelivery({ accountId: other, deliveryId })).rejects.toMatchObject(
    refused,
  )
  await at.ledger.removeWebhook(own)
  await expect(
    at.ledger.resendDelivery({ accountId: own.accountId, deliveryId }),
  ).rejects.toMatchObject(refused)
})
