import { openTimes, phoneTail } from './show-values'

test("shows times of the country, in the reader's language", () => {
  const instant = new Date('2026-07-20T21:32:10Z')
  const { en, sw, lg } = openTimes('Africa/Kampala')
  expect([en.clock(instant), sw.clock(instant), lg.clock(instant)]).toEqual(Array(3).fill('00:32'))
  expect([en.date(instant), sw.date(instant), lg.date(instant)]).toEqual([
    '21 Jul 2026, 00:32',
    '21 Jul 2026, 00:32',
    '21 Jul 2026 00:32',
  ])
})

test('shows the last three digits of a phone', () => {
  expect(phoneTail('254712345678')).toBe('678')
})
