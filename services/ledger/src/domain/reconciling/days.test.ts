import { boundsOf, dueDay, isReadTo } from './days'

const at = (time: string) => Date.parse(time) * 1_000

test('a day begins and ends at midnight in East Africa', () => {
  expect(boundsOf('2026-11-20')).toEqual({
    from: at('2026-11-20T00:00:00+03:00'),
    until: at('2026-11-21T00:00:00+03:00'),
  })
})

test.each([
  ['2026-11-20T00:00:00+03:00', undefined],
  ['2026-11-20T00:59:59+03:00', undefined],
  ['2026-11-20T01:00:00+03:00', '2026-11-19'],
  ['2026-11-20T23:59:59+03:00', '2026-11-19'],
  ['2026-12-01T12:00:00+03:00', '2026-11-30'],
])('at %s the reconciliation of the day %s is due', (now, day) => {
  expect(dueDay(at(now))).toBe(day)
})

test('a past day must be read to its end, and today up to a quarter of an hour ago', () => {
  const end = at('2026-11-21T00:00:00+03:00')
  const [noon, nextNoon] = [at('2026-11-20T12:00:00+03:00'), at('2026-11-21T12:00:00+03:00')]
  expect(isReadTo(end, end, nextNoon)).toBe(true)
  expect(isReadTo(end - 1, end, nextNoon)).toBe(false)
  expect(isReadTo(noon - 900_000_000, end, noon)).toBe(true)
  expect(isReadTo(noon - 900_000_001, end, noon)).toBe(false)
})
