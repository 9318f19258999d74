import { moneyText, openTimes, phoneTail } from './show-values'

test.each([
  ['KES', 100n, 'KES 1.00'],
  ['KES', 150_050n, 'KES 1,500.50'],
  ['KES', 15_000_000n, 'KES 150,000.00'],
  ['KES', 12_345_678_901_234_567_89n, 'KES 12,345,678,901,234,567.89'],
  ['UGX', 500_000n, 'UGX 5,000'],
] as const)('%s %s minor units are %s', (currency, minor, text) => {
  expect(moneyText(currency, minor)).toBe(text.replace(' ', '\u00a0'))
})

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
