import { openLedger, type TestLedger } from '../ledger.harness'
import { webhooks } from './webhooks.harness'
import { letPass } from '../time.harness'

let at: TestLedger
let hooks: ReturnType<typeof webhooks>

beforeEach(async () => {
  at = await openLedger()
  hooks = webhooks(at)
})

afterEach(() => at.close())

const claim = async (limit = 100) => (await at.ledger.claimDeliveries({ limit })).deliveryIds

async function waitingAtOne(count: number) {
  const own = await hooks.listener()
  const ids: string[] = []
  while (ids.length < count) ids.push(await hooks.paid(own))
  return { ...own, ids }
}

test('leases a new delivery at once to one worker, and again when its lease has run out', async () => {
  const { ids } = await waitingAtOne(1)
  const shares = await Promise.all([claim(), claim(), claim()])
  expect(shares.flat()).toEqual(ids)
  await letPass(at.database, 5)
  expect(await claim()).toEqual(ids)
})

test('hands out at most eight deliveries of one endpoint at once, and does not hold back another endpoint', async () => {
  const slow = await waitingAtOne(10)
  const other = await waitingAtOne(2)
  const first = await claim()
  expect(first.filter((id) => slow.ids.includes(id)).sort()).toEqual(slow.ids.slice(0, 8).sort())
  expect(first.filter((id) => other.ids.includes(id)).sort()).toEqual([...other.ids].sort())
  expect(await claim()).toEqual([])
  await hooks.attempt(slow.ids[0] ?? '', 200)
  expect(await claim()).toEqual([slow.ids[8]])
})

test('hands out one delivery at a time of an endpoint that fails, and eight again after a success', async () => {
  const { ids } = await waitingAtOne(4)
  await hooks.attempt(ids[0] ?? '', 500)
  expect(await claim()).toEqual([ids[1]])
  expect(await claim()).toEqual([])
  await hooks.attempt(ids[1] ?? '', 200)
  expect((await claim()).sort()).toEqual(ids.slice(2).sort())
})

test('hands out at most `limit` deliveries, and refuses a limit of 0', async () => {
  await waitingAtOne(3)
  expect(await claim(2)).toHaveLength(2)
  await expect(claim(0)).rejects.toMatchObject({ facts: { field: 'limit' } })
})

test('hands out the delivery of a quick endpoint although deliveries of a hundred slow endpoints wait, which get half of the places', async () => {
  const other = await hooks.listener()
  await hooks.attempt(await hooks.waiting(other), 200)
  for (let slow = 0; slow < 100; slow += 1) {
    const own = await hooks.listener()
    await hooks.attempt(await hooks.waiting(own), 200, 9_900)
    await hooks.waiting(own)
  }
  const first = await hooks.waiting(other)
  expect(await claim(6)).toContain(first)
  expect(await claim()).toHaveLength(27)
  const second = await hooks.paid(other)
  expect(await claim()).toEqual([second])
  // An endpoint that is switched on again counts as slow until it has taken an event quickly.
  await at.ledger.switchWebhookOn(other)
  await hooks.paid(other)
  expect(await claim()).toEqual([])
})
