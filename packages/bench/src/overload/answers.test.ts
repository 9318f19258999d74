import { AnswerCount, kindOf, percentile } from './answers'

const answer = (status: number, headers = '') =>
  Buffer.from(`HTTP/1.1 ${String(status)} x\r\n${headers}\r\n`)

test.each([
  ['a success is good', answer(202), 'good'],
  ['200 is good', answer(200), 'good'],
  ['400 is refused', answer(400), 'refused'],
  ['409 is refused', answer(409), 'refused'],
  ['429 is refused, even with Retry-After', answer(429, 'Retry-After: 1\r\n'), 'refused'],
  ['a redirect has failed', answer(302), 'failed'],
  ['503 with Retry-After is shed', answer(503, 'Retry-After: 1\r\n'), 'shed'],
  ['503 without Retry-After has failed', answer(503), 'failed'],
  ['500 has failed', answer(500, 'Retry-After: 1\r\n'), 'failed'],
  ['no answer has failed', undefined, 'failed'],
])('%s', (_what, given, kind) => {
  expect(kindOf(given)).toBe(kind)
})

test('counts answers by kind, and restarts at zero after take()', () => {
  const count = new AnswerCount()
  for (const tookMs of [3, 1, 2]) count.add('good', tookMs)
  count.add('shed', 9)
  for (let refusals = 0; refusals < 2; refusals += 1) count.add('refused', 9)
  count.add('failed', 9)
  const none = { good: 0, shed: 0, refused: 0, failed: 0, p50Ms: 0, p99Ms: 0 }
  expect(count.take()).toEqual({ good: 3, shed: 1, refused: 2, failed: 1, p50Ms: 2, p99Ms: 3 })
  expect(count.take()).toEqual(none)
})

test('a percentile is one of the given numbers, never an interpolation', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1)
  expect([percentile(hundred, 0.5), percentile(hundred, 0.99), percentile([4], 0.99)]).toEqual([
    50, 99, 4,
  ])
})
