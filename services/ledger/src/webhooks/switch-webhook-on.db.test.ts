import { ledgerOfFile } from '../ledger.harness'
import { newEndpointId, webhooks } from './webhooks.harness'

const at = ledgerOfFile()
const hooks = webhooks(at)

test('an account without an endpoint has no events', async () => {
  const { checkoutId, accountId } = await paidCheckout(await at.pay.merchant())
  expect(checkoutId).toMatch(/^cs_ke_/)
  const { rows } = await at.database.pool.query(
    'SELECT FROM webhook_events WHERE account_id = $1 UNION ALL SELECT FROM checkout_expiries WHERE checkout_id = $2',
    [accountId, checkoutId],
  )
  expect(rows).toEqual([])
})

test('an endpoint that is switched on gets later events, each once, however often it is switched on', async () => {
  const { accountId, endpointId } = await hooks.listener()
  await at.ledger.switchWebhookOn({ accountId, endpointId })
  const { checkoutId } = await paidCheckout(accountId)
  expect(await hooks.events(accountId)).toEqual([`checkout.completed ${checkoutId}`])
})

test('each enabled endpoint of the account gets each event, and no endpoint of another account does', async () => {
  const { accountId, endpointId } = await hooks.listener()
  const other = await hooks.listener()
  const gone = { accountId, endpointId: newEndpointId() }
  await at.ledger.switchWebhookOn(gone)
  await hooks.attempt(await hooks.waiting(gone), 410)
  const second = newEndpointId()
  await at.ledger.switchWebhookOn({ accountId, endpointId: second })
  await paidCheckout(accountId)
  const deliveries = await hooks.deliveries(accountId)
  const paid = deliveries.filter(({ type }) => type === 'checkout.completed')
  expect(paid.map((delivery) => delivery.endpointId).sort()).toEqual([endpointId, second].sort())
  expect(await hooks.deliveries(other.accountId)).toEqual([])
})

test("refuses another account's endpoint and an invalid id", async () => {
  const { endpointId } = await hooks.listener()
  const accountId = await at.pay.merchant()
  for (const wrong of [endpointId, 'we_1', '']) {
    await expect(at.ledger.switchWebhookOn({ accountId, endpointId: wrong })).rejects.toMatchObject(
      { reason: 'invalid_request', facts: { field: 'endpoint_id' } },
    )
  }
})

test('an endpoint that answered 410 gets new events once it is switched on, and the refused event stays given up', async () => {
  const { accountId, endpointId } = await hooks.listener()
  await hooks.attempt(await hooks.waiting({ accountId, endpointId }), 410)
  await paidCheckout(accountId)
  expect(await hooks.events(accountId)).toHaveLength(1)
  await at.ledger.switchWebhookOn({ accountId, endpointId })
  await paidCheckout(accountId)
  const deliveries = await hooks.deliveries(accountId)
  expect(deliveries.map(({ type, status }) => [type, status])).toEqual([
    ['checkout.completed', 'DELIVERY_STATUS_PENDING'],
    ['webhook.test', 'DELIVERY_STATUS_GIVEN_UP'],
  ])
})

test('the events from the time in which an endpoint is off because it failed are sent once it is switched on', async () => {
  const { accountId, endpointId } = await hooks.listener()
  await at.database.pool.query(
    `UPDATE webhook_endpoints SET off_at = now(), off_because = 'failing' WHERE id = $1`,
    [endpointId],
  )
  const { checkoutId } = await paidCheckout(accountId)
  expect(await hooks.events(accountId)).toEqual([`checkout.completed ${checkoutId}`])
  const [delivery] = await hooks.deliveries(accountId)
  const claim = async () => (await at.ledger.claimDeliveries({ limit: 100 })).deliveryIds
  expect(await claim()).not.toContain(delivery?.deliveryId)
  await at.ledger.switchWebhookOn({ accountId, endpointId })
  expect(await claim()).toContain(delivery?.deliveryId)
})

async function paidCheckout(accountId: string) {
  const { checkoutId } = await at.pay.checkout({ accountId })
  await at.pay.paid(await at.pay.pending(checkoutId))
  return { checkoutId, accountId }
}
