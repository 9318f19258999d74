import { ledgerOfFile } from '../ledger.harness'
import { present } from '../payments.harness'
import { letPass } from '../time.harness'
import { webhooks } from './webhooks.harness'

const at = ledgerOfFile()
const hooks = webhooks(at)

const claim = async () => (await at.ledger.claimDeliveries({ limit: 100 })).deliveryIds

test('a delivery whose attempts begin and are never recorded is due again after growing waits, with the same event id, and is not given up', async () => {
  const own = await hooks.listener()
  const deliveryId = await hooks.waiting(own)
  const ids = new Set<string>()
  for (const seconds of [30, 60, 120, 240, 480, 960, 1_920, 3_840, 3_840, 3_840]) {
    ids.add(present((await at.ledger.beginDelivery({ deliveryId })).message).eventId)
    await letPass(at.database, seconds - 2)
    expect(await claim()).toEqual([])
    await letPass(at.database, 2)
    expect(await claim()).toEqual([deliveryId])
  }
  expect(ids.size).toBe(1)
  expect(await hooks.deliveries(own.accountId)).toMatchObject([{ attempts: 0 }])
})

test('hands out the event type, the id of its checkout and its time', async () => {
  const own = await hooks.listener()
  const { checkoutId } = await at.pay.checkout({ accountId: own.accountId })
  await at.pay.paid(await at.pay.pending(checkoutId))
  const [delivery] = await hooks.deliveries(own.accountId)
  const { deliveryId, createdAt } = present(delivery)
  const { message } = await at.ledger.beginDelivery({ deliveryId })
  expect(message).toMatchObject({
    endpointId: own.endpointId,
    type: 'checkout.completed',
    subjectId: checkoutId,
  })
  expect(
    Math.abs(present(present(message).createdAt).getTime() - present(createdAt).getTime()),
  ).toBeLessThan(1_000)
})

test('hands out nothing for a delivery that has ended or is unknown', async () => {
  const deliveryId = await hooks.waiting(await hooks.listener())
  await hooks.attempt(deliveryId, 204)
  expect((await at.ledger.beginDelivery({ deliveryId })).message).toBeUndefined()
  expect((await at.ledger.beginDelivery({ deliveryId: 'wd_none' })).message).toBeUndefined()
})

test('hands out nothing to an endpoint that is switched off after the delivery was claimed', async () => {
  const own = await hooks.listener()
  const deliveryId = await hooks.waiting(own)
  expect(await claim()).toContain(deliveryId)
  await at.ledger.removeWebhook(own)
  expect((await at.ledger.beginDelivery({ deliveryId })).message).toBeUndefined()
})
