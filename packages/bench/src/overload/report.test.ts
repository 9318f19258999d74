import { cpus } from 'node:os'
import { rowsOf, tableOfTimes, type Time } from './report'

const none = { good: 0, shed: 0, refused: 0, failed: 0, p50Ms: 0, p99Ms: 0 }

/** The figures of one second in which the load generator took this share of the processors. */
function time(goodPerSecond: number, generatorShare: number, changes: Partial<Time> = {}): Time {
  return {
    ...{ connections: 8, seconds: 1, sent: 100, goodPerSecond },
    ...{ read: { ...none, good: goodPerSecond }, create: none, pay: none, poll: none },
    ...{ callback: none, used: { generator: generatorShare * cpus().length } },
    ...changes,
  }
}

test('compares overload with peak, both raw and without the share of the processors that the load generator took', () => {
  const pay = { ...none, good: 7, refused: 2, failed: 1, p99Ms: 500 }
  const round = { peak: time(100, 0.5), overload: time(80, 0.6, { pay }) }
  const [raw, net, pays, failures] = rowsOf([round]).map(({ ratios: [ratio = 0] }) => ratio)
  expect(raw).toBe(0.8)
  expect(net).toBeCloseTo(1)
  expect(pays).toBe(2)
  expect(failures).toBeCloseTo(87 / 90)
  expect(tableOfTimes([round])).toMatch(/overload +pay +7 +0 +2 +1 +0 +500/)
})
