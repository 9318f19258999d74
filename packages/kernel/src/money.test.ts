import fc from 'fast-check'
import { isWholeMajor, majorText, minorFromMajorText, wholeMajorUp } from './money'

/** Thirteen digits before the point and two behind it are the most that is read. */
const minors = fc.bigInt({ min: 0n, max: 10n ** 15n - 1n })
const digits = (lengthMax: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), maxLength: lengthMax })
const almostAmounts = fc.oneof(
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789.,+-e_ \n٣')), maxLength: 18 }),
  fc.tuple(digits(15), digits(4)).map((halves) => halves.join('.')),
  fc.string({ unit: 'binary' }),
)

test('what is printed for people and providers is read back as the same money', () => {
  fc.assert(
    fc.property(minors, (minor) => {
      expect(minorFromMajorText(majorText(minor))).toBe(minor)
    }),
  )
})

test('rounded up is the next whole major unit, and a whole one stays', () => {
  fc.assert(
    fc.property(minors, (minor) => {
      const up = wholeMajorUp(minor)
      expect(isWholeMajor(up)).toBe(true)
      expect(up - minor >= 0n && up - minor < 100n).toBe(true)
    }),
  )
})

test('only whole major units are printed without a point', () => {
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

test('zeros behind the point are no money', () => {
  fc.assert(
    fc.property(minors, fc.constantFrom('', '.0', '.00'), (major, zeros) => {
      const text = String(major / 100n)
      expect(minorFromMajorText(text + zeros)).toBe(BigInt(`${text}00`))
    }),
  )
})

test('a text is refused, or is the money that its digits say', () => {
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
