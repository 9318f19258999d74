import { systemClock } from '@malipo/runtime/clock'
import { ledgerOfFile } from '../ledger.harness'
import { newEndpointId, webhooks } from './webhooks.harness'

const at = ledgerOfFile()
const hooks = webhooks(at)

const anHourAgo = () => new Date(systemClock.now() - 3_600_000)

/** A delivery that an endpoint was sent and answered. */
async function answered(own: { accountId: string; endpointId: string }, status: number) {
  const deliveryId = await hooks.paid(own)
  await hooks.attempt(deliveryId, status)
  return deliveryId
}

async function statesOf(accountId: string) {
  const deliveries = await hooks.deliveries(accountId)
  return new Map(deliveries.map(({ deliveryId, attempts }) => [deliveryId, attempts]))
}

test('sends again the deliveries that failed since the given time, and neither earlier ones nor those that succeeded', async () => {
  const own = await hooks.listener()
  const before = await answered(own, 500)
  await at.database.pool.query(
    "UPDATE webhook_deliveries SET created_at = created_at - interval '2 hours' WHERE id = $1",
    [before],
  )
  const refused = [await answered(own, 500), await answered(own, 503)]
  const taken = await answered(own, 200)
  const sent = await at.ledger.resendSince({ ...own, since: anHourAgo() })
  expect(sent).toEqual({ resent: 2, hasMore: false })
  const attempts = await statesOf(own.accountId)
  expect(refused.map((id) => attempts.get(id))).toEqual([0, 0])
  expect([attempts.get(before), attempts.get(taken)]).toEqual([1, 1])
})

test('sends again a delivery that was given up', async () => {
  const own = await hooks.listener()
  const deliveryId = await hooks.waiting(own)
  await at.database.pool.query(
    `UPDATE webhook_deliveries SET status = 'given_up', next_action_at = NULL WHERE id = $1`,
    [deliveryId],
  )
  expect((await at.ledger.resendSince({ ...own, since: anHourAgo() })).resent).toBe(1)
  expect((await at.ledger.beginDelivery({ deliveryId })).message).toBeDefined()
})

test('two requests at the same moment send each delivery again once', async () => {
  const own = await hooks.listener()
  await answered(own, 500)
  const both = [1, 2].map(() => at.ledger.resendSince({ ...own, since: anHourAgo() }))
  const resent = (await Promise.all(both)).map((answer) => answer.resent)
  expect(resent.sort()).toEqual([0, 1])
})

test('does not send again a delivery that a worker is sending', async () => {
  const own = await hooks.listener()
  const deliveryId = await answered(own, 500)
  await at.ledger.resendDelivery({ accountId: own.accountId, deliveryId })
  await at.ledger.beginDelivery({ deliveryId })
  expect((await at.ledger.resendSince({ ...own, since: anHourAgo() })).resent).toBe(0)
})

test('sends at most a thousand deliveries again, and returns that there may be more', async () => {
  const own = await hooks.listener()
  await answered(own, 500)
  await at.database.pool.query(
    `WITH event AS (
       INSERT INTO webhook_events (id, account_id, type, subject_id)
       SELECT webhook_id('evt_'), $1, 'webhook.test', $2 FROM generate_series(1, 1000) RETURNING id
     )
     INSERT INTO webhook_deliveries (id, event_id, endpoint_id, status) SELECT webhook_id('wd_'), id, $2, 'given_up' FROM event`,
    [own.accountId, own.endpointId],
  )
  const since = anHourAgo()
  expect(await at.ledger.resendSince({ ...own, since })).toEqual({ resent: 1_000, hasMore: true })
  expect(await at.ledger.resendSince({ ...own, since })).toEqual({ resent: 1, hasMore: false })
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
    await expect(at.ledger.resendSince({ ...own, since: anHourAgo() })).rejects.toMatchObject({
      reason: 'invalid_request',
      facts: { field: 'endpoint_id' },
    })
  }
})
