import { openLedger, type TestLedger } from '../ledger.harness'
import { webhooks } from './webhooks.harness'

let at: TestLedger
let hooks: ReturnType<typeof webhooks>

beforeAll(async () => {
  at = await openLedger()
  hooks = webhooks(at)
})

afterAll(() => at.close())

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
