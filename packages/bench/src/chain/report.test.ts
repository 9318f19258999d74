import type { Measured } from './measure'
import { type Level, rowsOf, tableOfUnits } from './report'

const measured = (pace: number, processorMs: Readonly<Record<string, number>>): Measured => ({
  ...{ pace, p50Ms: 1, p99Ms: 2, processorMs },
})

const level = (inFlight: number): Level => ({
  inFlight,
  floorGet: measured(10_000, { express: 0.1 }),
  floorPost: measured(8_000, { express: 0.2 }),
  read: measured(1_000, { gateway: 0.4, ledger: 0.4 }),
  readPaid: measured(1_000, { gateway: 0.4, ledger: 0.4 }),
  create: measured(500, { gateway: 0.5, ledger: 1.5 }),
  payment: measured(inFlight, { gateway: 12, ledger: 8 }),
})

const result = {
  rounds: [{ levels: [level(1), level(16)], tpcB: 1_600 }],
  halfPace: { paymentsPerSecond: 8, completedP50Ms: 50, completedP99Ms: 100, createdP99Ms: 30 },
  ...{ restMb: 1_800, restMs: { gateway: 5, ledger: 15 }, secondStartSeconds: 5 },
}

test('each goal is a ratio measured at 16 in flight, where a greater ratio is better', () => {
  expect(rowsOf(result).map(({ goal, ratios }) => [goal, ...ratios])).toEqual([
    ['S1', 0.1 / 0.8],
    ['S1', 0.1],
    ['S2', 0.1],
    ['S2', 0.0625],
    ['S3', 0.5],
    ['S3', 0.01],
    ['S4', 0.5],
    ['S4', 1.5],
    ['S4', 2],
    ['S5', 0.5],
    ['S6', 2],
  ])
})

test('the table lists each unit at each number in flight, with a column for each process', () => {
  const lines = tableOfUnits(result).split('\n')
  expect(lines).toHaveLength(14)
  expect(lines[0]).toMatch(/all +gateway +ledger$/)
  expect(lines[12]).toMatch(/^payment +16 +16 +1\.0 +2\.0 +20\.00 +12\.00 +8\.00$/)
  expect(lines[13]).toMatch(/^second of rest +20\.00 +5\.00 +15\.00$/)
})
