import { openQueryPlaces } from './query-places'

const unending = () => new Promise<string>(() => undefined)
const watch = { rail: 'mpesa', isWatch: true } as const
const inFlight = { rail: 'mpesa', isWatch: false } as const

test('queries of ended payments leave four of the twelve places of their rail to payments in flight', () => {
  const runQuery = openQueryPlaces()
  const watches = Array.from({ length: 12 }, () => runQuery(watch, unending))
  expect(watches.filter((query) => query !== undefined)).toHaveLength(8)
  expect(runQuery({ ...watch, rail: 'airtel_money' }, unending)).toBeDefined()
  const queries = Array.from({ length: 5 }, () => runQuery(inFlight, unending))
  expect(queries.filter((query) => query !== undefined)).toHaveLength(4)
})

test('queries of payments in flight take all places, and one that ends frees its place', async () => {
  const runQuery = openQueryPlaces()
  const first = runQuery(watch, () => Promise.resolve('asked'))
  for (let place = 1; place < 12; place += 1) expect(runQuery(inFlight, unending)).toBeDefined()
  expect(runQuery(inFlight, unending)).toBeUndefined()
  expect(await first).toBe('asked')
  expect(runQuery(watch, unending)).toBeDefined()
})
