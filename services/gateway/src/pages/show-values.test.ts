import { clockText, dateText, moneyText, phoneTail } from './show-values'

test.each([
  [100n, 'KES 1'],
  [150_050n, 'KES 1,500.50'],
  [15_000_000n, 'KES 150,000'],
  [123_456_789_00n, 'KES 123,456,789'],
])('%s minor units of KES are %s', (minor, text) => {
  expect(moneyText('KES', minor)).toBe(text.replace(' ', '\u00a0'))
})

test('time is that of East Africa', () => {
  const instant = new Date('2026-11-20T21:32:10Z')
  expect(clockText(instant)).toBe('00:32')
  expect(dateText(instant)).toBe('21 Nov 2026, 00:32')
})

test('a phone shows its last three digits', () => {
  expect(phoneTail('254712345678')).toBe('678')
})
