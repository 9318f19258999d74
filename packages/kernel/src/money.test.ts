import fc from 'fast-check'
import {
  amountFromPerson,
  isWholeMajor,
  majorText,
  minorFromMajorText,
  moneyText,
  wholeMajorUp,
} from './money'

/** Amounts that can be parsed: at most thirteen digits before the point, and two after it. */
const minors = fc.bigInt({ min: 0n, max: 10n ** 15n - 1n })
const digits = (lengthMax: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), maxLength: lengthMax })
const almostAmounts = fc.oneof(
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789.,+-e_ \n٣')), maxLength: 18 }),
  fc.tuple(digits(15), digits(4)).map((halves) => halves.join('.')),
  fc.string({ unit: 'binary' }),
)

test('parses its own output to the same amount', () => {
  fc.assert(
    fc.property(minors, (minor) => {
      expect(minorFromMajorText(majorText(minor))).toBe(minor)
    }),
  )
})

test('rounds up to the next whole major unit, and leaves a whole amount unchanged', () => {
  fc.assert(
    fc.property(minors, (minor) => {
      const up = wholeMajorUp(minor)
      expect(isWholeMajor(up)).toBe(true)
      expect(up - minor >= 0n && up - minor < 100n).toBe(true)
    }),
  )
})

test('prints whole major units without a decimal point, and all other amounts with one', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        minors,
        minors.map((minor) => minor - (minor % 100n)),
      ),
      (minor) => {
        expect(majorText(minor).includes('.')).toBe(!isWholeMajor(minor))
      },
    ),
  )
})

test('ignores zeros after the point', () => {
  fc.assert(
    fc.property(minors, fc.constantFrom('', '.0', '.00'), (major, zeros) => {
      const text = String(major / 100n)
      expect(minorFromMajorText(text + zeros)).toBe(BigInt(`${text}00`))
    }),
  )
})

test('either rejects a text, or returns the amount of its digits', () => {
  fc.assert(
    fc.property(almostAmounts, (text) => {
      const minor = minorFromMajorText(text)
      if (minor === undefined) return
      const [whole = '', cents = ''] = text.split('.')
      const atLeastThree = String(minor).padStart(3, '0')
      expect(whole + cents.padEnd(2, '0')).toBe(atLeastThree)
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  ['KES', 100n, 'KES 1.00'],
  ['KES', 150_050n, 'KES 1,500.50'],
  ['KES', 15_000_000n, 'KES 150,000.00'],
  ['KES', 12_345_678_901_234_567_89n, 'KES 12,345,678,901,234,567.89'],
  ['UGX', 500_000n, 'UGX 5,000'],
  ['UGX', -500_000n, '−UGX 5,000'],
] as const)('%s %s minor units are %s', (currency, minor, text) => {
  expect(moneyText(currency, minor)).toBe(text.replace(' ', '\u00a0'))
})

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
])('reads %p as %p minor units', (text, minor) => {
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
