import { growthOf, tableOfProcesses, tableOfWindows, type Window } from './report'

const window = (change: Partial<Window> = {}): Window => ({
  ...{ payments: 100, pace: 40, createP99Ms: 10, paymentP50Ms: 100, paymentP99Ms: 200 },
  ...{ processorMs: { ledger: 10, worker: 15 }, memoryMb: { ledger: 300, worker: 400 } },
  ...{ floor: { p50Ms: 1, p99Ms: 5, processorMs: 0.1 }, ...change },
})

const missed = (windows: readonly Window[]) =>
  growthOf(windows)
    .filter(({ ratios: [ratio = 0], atLeast }) => ratio < atLeast)
    .map(({ what }) => what)

test('reports no growth for equal windows', () => {
  expect(missed(Array.from({ length: 8 }, () => window()))).toEqual([])
})

test('reports memory that grew from the second quarter to the last, and not memory that grew in the first', () => {
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

test('reports no growth in bare GETs where a bare GET has become slower too', () => {
  const slower = { processorMs: { ledger: 20, worker: 30 } }
  const floor = { p50Ms: 1, p99Ms: 5, processorMs: 0.2 }
  const late = (change: Partial<Window>) =>
    Array.from({ length: 8 }, (_, at) => window(at < 6 ? {} : change))
  expect(missed(late({ ...slower, floor }))).toEqual([
    'second quarter / last: processor time of a payment',
  ])
  expect(missed(late(slower))).toEqual([
    'second quarter / last: processor time of a payment',
    'second quarter / last: processor time of a payment, in bare GETs',
  ])
})

test('the table of processes shows, for each quarter of the run, the median of the processor time of its windows', () => {
  const figures = [1, 2, 2, 9, 3, 4, 9, 9, 4, 4, 5, 5, 6]
  const windows = figures.map((ledger) => window({ processorMs: { ledger } }))
  expect(tableOfProcesses(windows).split('\n').at(1)).toMatch(
    /^ledger +2\.00 +4\.00 +4\.00 +5\.00$/,
  )
})
