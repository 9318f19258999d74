import { metrics } from '@malipo/runtime/metrics'
import { at, begin, hourMs, useOwnWatch } from './watch-pay-bill.harness'

useOwnWatch()

/** Whether the metric says that the provider refused our reading. */
async function isRefused(): Promise<boolean> {
  const text = await metrics.getSingleMetricAsString('malipo_statement_not_granted')
  return text.endsWith('{provider="mpesa"} 1')
}

test('asks M-Pesa for the statement once an hour while reading it is not granted', async () => {
  at.answer = { kind: 'not_granted', detail: 'http 400, 400.001' }
  begin()
  await jest.advanceTimersByTimeAsync(3 * hourMs - 1)
  expect(at.requests).toHaveLength(3)
  expect(at.recorded).toEqual([])
  at.answer = { kind: 'answered', bodies: [] }
  await jest.advanceTimersByTimeAsync(hourMs)
  expect(at.recorded.length).toBeGreaterThan(0)
})

test('reads on every three minutes after an answer that fits a refusal and a quiet short code alike, so that the next payment does not wait', async () => {
  at.answer = { kind: 'doubtful', detail: 'http 200, 1001, and no row in 48 hours' }
  begin()
  await jest.advanceTimersByTimeAsync(hourMs)
  expect(at.requests).toHaveLength(21)
  expect(at.recorded).toEqual([])
  expect(await isRefused()).toBe(true)
  at.answer = { kind: 'answered', bodies: [Buffer.from('a')] }
  await jest.advanceTimersByTimeAsync(180_000)
  expect(at.recorded).toHaveLength(1)
  expect(await isRefused()).toBe(false)
})

test('shows that reading is not granted from the first refusal until the statement was read', async () => {
  at.answer = { kind: 'not_granted', detail: 'http 400, 400.001' }
  begin()
  await jest.advanceTimersByTimeAsync(0)
  expect(await isRefused()).toBe(true)
  await jest.advanceTimersByTimeAsync(hourMs - 1)
  expect(await isRefused()).toBe(true)
  at.answer = { kind: 'unanswered', detail: 'away' }
  await jest.advanceTimersByTimeAsync(1)
  expect(await isRefused()).toBe(true)
  at.answer = { kind: 'answered', bodies: [] }
  await jest.advanceTimersByTimeAsync(5_000)
  expect(await isRefused()).toBe(false)
})

test('does not show a statement without an answer as not granted', async () => {
  begin()
  await jest.advanceTimersByTimeAsync(0)
  at.answer = { kind: 'unanswered', detail: 'away' }
  await jest.advanceTimersByTimeAsync(hourMs)
  expect(at.requests.length).toBeGreaterThan(1)
  expect(await isRefused()).toBe(false)
})

test('clears a refusal from its metric after it has lost the lease: the metric of the next reader has whether reading is granted', async () => {
  at.answer = { kind: 'not_granted', detail: 'http 400, 400.001' }
  begin()
  await jest.advanceTimersByTimeAsync(0)
  expect(await isRefused()).toBe(true)
  at.isHolder = false
  await jest.advanceTimersByTimeAsync(2_000)
  expect(await isRefused()).toBe(false)
})
