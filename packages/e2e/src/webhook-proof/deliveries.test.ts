import { main } from './prove-webhooks'
import { isGood, Deliveries } from './deliveries'

const completed = (checkoutId: string, id: string, afterMs = 1) => ({
  ...{ id, checkoutId, afterMs, type: 'checkout.completed' },
})

test('counts an event that comes twice as a duplicate, and its first arrival alone as the time', () => {
  const deliveries = new Deliveries()
  deliveries.received(completed('cs_1', 'evt_1', 40))
  deliveries.received(completed('cs_1', 'evt_1', 9_000))
  const report = deliveries.report(['cs_1'], [])
  expect(report).toMatchObject({ requests: 2, events: 1, duplicates: 1, deliveryMs: { max: 40 } })
  expect(isGood(report)).toBe(true)
})

test.each([
  ['a payment without an event', ['cs_1', 'cs_2'], [], { lost: ['cs_2'] }],
  ['an event of a payment that was not made', [], ['cs_1'], { wronglyCompleted: ['cs_1'] }],
])('finds %s', (_title, paid, unpaid, found) => {
  const deliveries = new Deliveries()
  deliveries.received(completed('cs_1', 'evt_1'))
  const report = deliveries.report(paid, unpaid)
  expect(report).toMatchObject(found)
  expect(isGood(report)).toBe(false)
})

test('finds one event under two ids, and a request that the library does not verify', () => {
  const twice = new Deliveries()
  twice.received(completed('cs_1', 'evt_1'))
  twice.received(completed('cs_1', 'evt_2'))
  expect(isGood(twice.report(['cs_1'], []))).toBe(false)
  const forged = new Deliveries()
  forged.received(completed('cs_1', 'evt_1'))
  forged.refused()
  expect(isGood(forged.report(['cs_1'], []))).toBe(false)
})

test('counts a failed payment and the completed one after it as two events', () => {
  const deliveries = new Deliveries()
  deliveries.received({ ...completed('cs_1', 'evt_1'), type: 'payment.failed' })
  deliveries.received(completed('cs_1', 'evt_2'))
  expect(isGood(deliveries.report(['cs_1'], []))).toBe(true)
})

test('refuses an invalid number of payments before anything starts', async () => {
  await expect(main(['--payments=0'])).rejects.toThrow('--payments is a whole number from 1 up')
})
