import { ledgerOfFile } from '../ledger.harness'
import { present } from '../payments.harness'
import { letPass } from '../time.harness'
import { webhooks } from './webhooks.harness'

const at = ledgerOfFile()
const hooks = webhooks(at)

const unanswered = { $case: 'failure', value: 'timeout' } as const

/** Fails all nine attempts of a delivery. */
async function giveUp(deliveryId: string): Promise<void> {
  for (let tries = 0; tries < 9; tries += 1) await hooks.attempt(deliveryId, 500)
}

test('a 2xx answer ends the delivery', async () => {
  const own = await hooks.listener()
  await hooks.attempt(await hooks.waiting(own), 200)
  expect(await hooks.deliveries(own.accountId)).toMatchObject([
    {
      status: 'DELIVERY_STATUS_DELIVERED',
      attempts: 1,
      answerStatus: 200,
      nextAttemptAt: undefined,
    },
  ])
})

test('an unanswered delivery is tried again after five seconds, nine times in all, and then given up', async () => {
  const own = await hooks.listener()
  const deliveryId = await hooks.waiting(own)
  const waits = [5, 30, 300, 1_800, 7_200, 18_000, 36_000, 86_400]
  for (const seconds of waits) {
    await at.ledger.beginDelivery({ deliveryId })
    await at.ledger.recordDelivery({ deliveryId, outcome: unanswered, durationMs: 10_000 })
    const [{ attemptedAt, nextAttemptAt } = {}] = await hooks.deliveries(own.accountId)
    const waited = (present(nextAttemptAt).getTime() - present(attemptedAt).getTime()) / 1_000
    expect(waited).toBeGreaterThanOrEqual(seconds - 0.1)
    expect(waited).toBeLessThanOrEqual(seconds * 1.2 + 0.1)
    await letPass(at.database, seconds * 1.2)
  }
  await at.ledger.beginDelivery({ deliveryId })
  const last = await at.ledger.recordDelivery({ deliveryId, outcome: unanswered, durationMs: 1 })
  expect(last.status).toBe('DELIVERY_STATUS_GIVEN_UP')
  expect(await hooks.deliveries(own.accountId)).toMatchObject([
    { attempts: 9, failure: 'timeout', answerStatus: undefined },
  ])
})

test('a 410 answer switches the endpoint off', async () => {
  const own = await hooks.listener()
  await hooks.attempt(await hooks.waiting(own), 410)
  const { states } = await at.ledger.readWebhooks(own)
  expect(states).toMatchObject([{ offBecause: 'WEBHOOK_OFF_GONE' }])
  expect(states[0]?.offAt).toBeInstanceOf(Date)
})

test('an endpoint that had no event for days and then fails once is not switched off, and the event is tried again', async () => {
  const own = await hooks.listener()
  await giveUp(await hooks.waiting(own))
  await letPass(at.database, 6 * 86_400)
  const deliveryId = await hooks.waiting(own)
  await hooks.attempt(deliveryId, 500)
  const { states, deliveries } = await at.ledger.readWebhooks(own)
  expect(states).toMatchObject([{ offBecause: 'WEBHOOK_OFF_UNSPECIFIED' }])
  expect(deliveries[0]).toMatchObject({ deliveryId, status: 'DELIVERY_STATUS_PENDING' })
})

test('an endpoint that took nothing for 5 days is switched off by an event that is given up, and its waiting events are kept', async () => {
  const own = await hooks.listener()
  const first = await hooks.waiting(own)
  const second = await hooks.paid(own)
  await hooks.attempt(second, 500)
  await letPass(at.database, 5 * 86_400)
  await giveUp(first)
  expect((await at.ledger.readWebhooks(own)).states).toMatchObject([
    { offBecause: 'WEBHOOK_OFF_FAILING' },
  ])
  expect((await at.ledger.claimDeliveries({ limit: 100 })).deliveryIds).not.toContain(second)
  await at.ledger.switchWebhookOn(own)
  expect((await at.ledger.claimDeliveries({ limit: 100 })).deliveryIds).toContain(second)
})

test('an endpoint that the auth service does not know is sent nothing more', async () => {
  const own = await hooks.listener()
  const deliveryId = await hooks.waiting(own)
  await at.ledger.beginDelivery({ deliveryId })
  const outcome = { $case: 'endpointUnknown', value: true } as const
  await at.ledger.recordDelivery({ deliveryId, outcome, durationMs: 0 })
  expect((await at.ledger.readWebhooks(own)).states).toEqual([])
})

test.each([
  [1, 30],
  [9, 120],
])(
  'a delivery that was begun %i times while its endpoint could not be read is due again in %i s',
  async (times, wait) => {
    const own = await hooks.listener()
    const deliveryId = await hooks.waiting(own)
    for (let begun = 0; begun < times; begun += 1) await at.ledger.beginDelivery({ deliveryId })
    const outcome = { $case: 'notAttempted', value: true } as const
    await at.ledger.recordDelivery({ deliveryId, outcome, durationMs: 0 })
    const claim = async () => (await at.ledger.claimDeliveries({ limit: 100 })).deliveryIds
    await letPass(at.database, wait - 2)
    expect(await claim()).not.toContain(deliveryId)
    await letPass(at.database, 2)
    expect(await claim()).toContain(deliveryId)
    const { deliveries, states } = await at.ledger.readWebhooks(own)
    expect(deliveries).toMatchObject([{ attempts: 0, attemptedAt: undefined, failure: undefined }])
    expect(states[0]?.failingSince).toBeUndefined()
  },
)

test('a worker that dies after nine postponed attempts delays the next one by two minutes', async () => {
  const own = await hooks.listener()
  const deliveryId = await hooks.waiting(own)
  const outcome = { $case: 'notAttempted', value: true } as const
  for (let postponed = 0; postponed < 9; postponed += 1) {
    await at.ledger.beginDelivery({ deliveryId })
    await at.ledger.recordDelivery({ deliveryId, outcome, durationMs: 0 })
  }
  await at.ledger.beginDelivery({ deliveryId })
  await letPass(at.database, 121)
  expect((await at.ledger.claimDeliveries({ limit: 100 })).deliveryIds).toContain(deliveryId)
})

test('a delivery that has ended is not due again when another worker could not attempt it', async () => {
  const own = await hooks.listener()
  const deliveryId = await hooks.waiting(own)
  await hooks.attempt(deliveryId, 200)
  const outcome = { $case: 'notAttempted', value: true } as const
  const { status } = await at.ledger.recordDelivery({ deliveryId, outcome, durationMs: 0 })
  expect(status).toBe('DELIVERY_STATUS_DELIVERED')
  expect(await hooks.deliveries(own.accountId)).toMatchObject([{ nextAttemptAt: undefined }])
})

test('an attempt that is recorded twice counts once when the first ended the delivery', async () => {
  const own = await hooks.listener()
  const deliveryId = await hooks.waiting(own)
  await hooks.attempt(deliveryId, 200)
  const outcome = { $case: 'answerStatus', value: 500 } as const
  const again = await at.ledger.recordDelivery({ deliveryId, outcome, durationMs: 1 })
  expect(again.status).toBe('DELIVERY_STATUS_DELIVERED')
  expect((await at.ledger.readWebhooks(own)).states[0]?.failingSince).toBeUndefined()
})

test('refuses an unknown delivery and an attempt without an outcome, and names the field', async () => {
  await expect(
    at.ledger.recordDelivery({ deliveryId: 'wd_none', outcome: unanswered, durationMs: 1 }),
  ).rejects.toMatchObject({ facts: { field: 'delivery_id' } })
  await expect(
    at.ledger.recordDelivery({ deliveryId: 'wd_none', outcome: undefined, durationMs: 1 }),
  ).rejects.toMatchObject({ facts: { field: 'outcome' } })
})
