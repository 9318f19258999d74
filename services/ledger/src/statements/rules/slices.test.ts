import fc from 'fast-check'
import { recentSeconds } from './reconciliation'
import { type ComparedSlice, dueSlices, nextHour, slicesOf } from './slices'

const hour = 3_600_000_000
const begin = nextHour(1_795_000_000_000_000)
const at = (hours: number) => begin + hours * hour
const sideUntil = (hours: number, provider = 'mpesa') => ({
  provider,
  readUntil: at(hours),
  until: at(hours),
})

test('slices are cut at full hours, and each side at its own end', () => {
  const slices = slicesOf(at(0.5), [sideUntil(2.25), sideUntil(1.5, 'mtn')])
  expect(slices).toEqual([
    { from: at(0.5), until: at(1), sides: [sideUntil(1), sideUntil(1, 'mtn')] },
    { from: at(1), until: at(2), sides: [sideUntil(2), sideUntil(1.5, 'mtn')] },
    { from: at(2), until: at(2.25), sides: [sideUntil(2.25), sideUntil(2, 'mtn')] },
  ])
})

test('receipts after the time up to which a provider’s records are known stay unread in each slice', () => {
  const slices = slicesOf(at(0), [{ provider: 'mpesa', readUntil: at(0.5), until: at(2) }])
  expect(slices.flatMap(({ sides }) => sides)).toEqual([
    { provider: 'mpesa', readUntil: at(0.5), until: at(1) },
    { provider: 'mpesa', readUntil: at(1), until: at(2) },
  ])
})

test('there are no slices where every side ends before the start', () => {
  expect(slicesOf(at(3), [sideUntil(2)])).toEqual([])
  expect(slicesOf(at(3), [])).toEqual([])
})

test('each instant lies in one slice, up to the last end of a side', () => {
  const micros = fc.integer({ min: 0, max: 50 * hour })
  fc.assert(
    fc.property(micros, micros, (offset, length) => {
      const [from, end] = [begin + offset, begin + offset + length]
      const slices = slicesOf(from, [{ provider: 'mpesa', readUntil: end, until: end }])
      const edges = slices.flatMap((slice) => [slice.from, slice.until])
      const inner = edges.slice(1, -1)
      expect(inner.filter((_, place) => place % 2 === 0)).toEqual(
        inner.filter((_, place) => place % 2 === 1),
      )
      expect([edges[0] ?? from, edges.at(-1) ?? from]).toEqual([from, end])
    }),
  )
})

describe('of the slices of twelve hours', () => {
  const slices = slicesOf(at(0), [sideUntil(12)])
  const even: readonly ComparedSlice[] = slices.map((slice) => ({ ...slice, differenceMinor: 0n }))
  const differingAt = (hours: number) =>
    even.map((one) => (one.from === at(hours) ? { ...one, differenceMinor: 1n } : one))
  const hoursOf = (due: ReturnType<typeof dueSlices>) =>
    due.map(({ from }) => (from - begin) / hour)

  test('all are due at first', () => {
    expect(dueSlices(slices, [])).toEqual(slices)
  })

  test('the oldest is due, and those that were compared longest ago', () => {
    const [first, second, ...others] = even
    if (first === undefined || second === undefined) throw new Error('there are twelve')
    expect(hoursOf(dueSlices(slices, [...others, first, second]))).toEqual([0, 2, 3, 4, 5])
  })

  test('one that differed is due each time, with those beside it', () => {
    expect(hoursOf(dueSlices(slices, differingAt(9)))).toEqual([0, 1, 2, 3, 8, 9, 10])
  })

  test('one that was not known to its end is due, and first of all one that was never compared', () => {
    const known = slicesOf(at(0), [sideUntil(10.5)])
    const compared = known.map((slice) => ({ ...slice, differenceMinor: 0n }))
    expect(hoursOf(dueSlices(slices, compared))).toEqual([11, 0, 1, 2, 3, 10])
  })

  test('all are due once a further provider is compared', () => {
    const more = slicesOf(at(0), [sideUntil(12), sideUntil(6, 'airtel')])
    expect(dueSlices(more, even)).toEqual(more)
  })
})

test('each hour of the running comparison is due in one of twelve turns', () => {
  const slices = slicesOf(at(0), [sideUntil(recentSeconds / 3_600)])
  let compared: readonly ComparedSlice[] = slices.map((slice) => ({
    ...slice,
    differenceMinor: 0n,
  }))
  const seen = new Set<number>()
  for (let turn = 0; turn < 12; turn++) {
    const due = new Set(dueSlices(slices, compared).map(({ from }) => from))
    for (const from of due) seen.add(from)
    const [done, waiting] = [true, false].map((isDue) =>
      compared.filter(({ from }) => due.has(from) === isDue),
    )
    compared = [...(waiting ?? []), ...(done ?? [])]
  }
  expect(seen.size).toBe(slices.length)
})
