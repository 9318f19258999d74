import { amountFromPerson } from './amount-from-person'

test.each([
  ['1500', 150_000n],
  ['1,500', 150_000n],
  ['1 500', 150_000n],
  ['1,234,567.89', 123_456_789n],
  ['1500.5', 150_050n],
  ['KES 1500', 150_000n],
  ['ksh.1500', 150_000n],
  ['UGX 5,000', 500_000n],
  ['1500/=', 150_000n],
  [' 20/- ', 2_000n],
  ['0500', 50_000n],
  ['0', 0n],
])('reads %p as %p', (text, minor) => {
  expect(amountFromPerson(text)).toBe(minor)
})

test.each([
  '',
  '1,50',
  '1.500',
  '1.500,00',
  '15,00,000',
  '1e3',
  '-5',
  '+5',
  '5.',
  '.5',
  '٥٠٠',
  'five',
  '5 KES',
  '9'.repeat(20),
])('rejects %p, which can be read in two ways or is no amount', (text) => {
  expect(amountFromPerson(text)).toBeUndefined()
})
