import { growthOf, tableOfWindows, type Window } from './report'

const window = (change: Partial<Window> = {}): Window => ({
  ...{ payments: 100, pace: 40, createP99Ms: 10, paymentP50Ms: 100, paymentP99Ms: 200 },
  ...{ processorMs: 25, memoryMb: { ledger: 300, worker: 400 }, ...change },
})

const missed = (windows: readonly Window[]) =>
  growthOf(windows)
    .filter(({ ratios: [ratio = 0], atLeast }) => ratio < atLeast)
    .map(({ what }) => what)

test('a run whose windows are alike has not grown', () => {
  expect(missed(Array.from({ length: 8 }, () => window()))).toEqual([])
})

test('memory that the last quarter has more of is growth, and that of the warm-up is not', () => {
  const windows = Array.from({ length: 8 }, (_, at) =>
    window({ memoryMb: { ledger: 300, worker: at < 6 ? 400 : 500 } }),
  )
  expect(missed(windows)).toEqual([
    'second quarter / last: memory of all processes',
    'second quarter / last: memory of worker',
  ])
  const warming = Array.from({ length: 8 }, (_, at) =>
    window({ memoryMb: { ledger: 300, worker: at < 2 ? 100 : 400 } }),
  )
  expect(missed(warming)).toEqual([])
})

test('the table counts payments from the beginning', () => {
  const lines = tableOfWindows([window(), window()]).split('\n')
  expect(lines.map((line) => line.split(/ {2,}/)[0])).toEqual(['payments', '100', '200'])
})
