import { countries } from '@malipo/kernel/countries'
import fc from 'fast-check'
import { canonicalPhone, phoneFromPerson, phoneSchema } from './phone'

const { ke, ug } = countries

test.each([
  ['254712345678', '254712345678'],
  ['0254712345678', '254712345678'],
  ['00254712345678', '254712345678'],
  ['0712345678', '254712345678'],
  ['712345678', '254712345678'],
  ['2540712345678', '254712345678'],
  ['0110123456', '254110123456'],
])('%s is one spelling of %s', (spelling, phone) => {
  expect(canonicalPhone(spelling, ke)).toBe(phone)
})

test('both spellings of a Ugandan number become one with the country code 256', () => {
  expect(canonicalPhone('0772123456', ug)).toBe('256772123456')
  expect(canonicalPhone('2560772123456', ug)).toBe('256772123456')
})

test.each([
  ['nine digits that are no mobile number', '123456789', '123456789'],
  ['fifteen digits', '123456789012345', '123456789012345'],
  ['a number of another country', '256772123456', '256772123456'],
  ['a number of another country with zeros', '00256772123456', '256772123456'],
])('drops nothing but leading zeros from %s: %s becomes %s', (_, given, kept) => {
  expect(canonicalPhone(given, ke)).toBe(kept)
})

test.each(['000000000', '012345678', '000000000000007'])(
  'refuses %s: fewer than 9 digits follow the leading zeros',
  (digits) => {
    expect(() => canonicalPhone(digits, ke)).toThrow(
      expect.objectContaining({ reason: 'invalid_request' }),
    )
  },
)

test.each([
  ['9 digits', '123456789', true],
  ['15 digits', '123456789012345', true],
  ['8 digits', '12345678', false],
  ['16 digits', '1234567890123456', false],
  ['a plus sign', '+254712345678', false],
  ['a space', '254 712345678', false],
  ['digits of another script', '٢٥٤٧١٢٣٤٥٦٧٨', false],
  ['a line break at the end', '254712345678\n', false],
])('%s (%j) may be a phone in a request: %s', (_, text, fits) => {
  expect(phoneSchema.safeParse(text).success).toBe(fits)
})

test.each([
  '0712 345 678',
  '0712-345-678',
  '+254 712 345 678',
  '00254712345678',
  '254712345678',
  '712345678',
  '+254 (0) 712 345 678',
  '+254 00 712 345 678',
  ' 0712.345.678 ',
])('reads 254712345678 when a person writes %j', (text) => {
  expect(phoneFromPerson(text, ke)).toBe('254712345678')
})

test.each([
  '',
  'phone',
  '0712 345',
  '07123456789',
  '0712345678x',
  '07l2345678O',
  '+256 772 123 456',
  '254712345',
  '+687 751 234',
  '00687751234',
])('reads no phone when a person writes %j', (text) => {
  expect(phoneFromPerson(text, ke)).toBeUndefined()
})

const digitText = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), minLength, maxLength })
const rulesOfBoth = fc.constantFrom(ke, ug)
/** The digits after the country code. Each prefix here belongs to a mobile network in Kenya and in Uganda. */
const mobiles = fc
  .tuple(fc.constantFrom('70', '74', '75', '76', '77', '78'), digitText(7, 7))
  .map((halves) => halves.join(''))
const runs = { numRuns: 1_000 }

/** Texts of zeros, country codes and other digits in any order. */
const almostPhones = fc
  .array(fc.oneof(fc.constantFrom('0', '00', '254', '256'), digitText(1, 9), digitText(8, 9)), {
    maxLength: 4,
  })
  .map((parts) => parts.join(''))

test('of all JSON values in the place of a phone, only 9 to 15 digits are taken', () => {
  const values = fc.oneof(fc.jsonValue(), almostPhones, digitText(7, 17), fc.maxSafeInteger())
  fc.assert(
    fc.property(values, (value) => {
      const isPhone =
        typeof value === 'string' &&
        [9, 10, 11, 12, 13, 14, 15].includes(value.length) &&
        Array.from(value).every((digit) => '0123456789'.includes(digit))
      expect(phoneSchema.safeParse(value).success).toBe(isPhone)
    }),
    runs,
  )
})

test('a canonical phone has the shape of a phone, begins with no zero and is its own canonical form', () => {
  const phones = fc.oneof(almostPhones, digitText(9, 15))
  fc.assert(
    fc.property(phones, rulesOfBoth, (digits, rules) => {
      fc.pre(phoneSchema.safeParse(digits.replace(/^0+/, '')).success)
      const phone = canonicalPhone(digits, rules)
      expect(phone).toMatch(/^[1-9][0-9]{8,14}$/)
      expect(canonicalPhone(phone, rules)).toBe(phone)
    }),
    runs,
  )
})

test('every way to write one mobile number is one phone, for a merchant and for a person', () => {
  const separators = fc.array(fc.constantFrom('', ' ', '-', '.', ' - ', ')('), { maxLength: 16 })
  fc.assert(
    fc.property(mobiles, rulesOfBoth, separators, (national, rules, between) => {
      const phone = rules.callingCode + national
      const digits = ['', '0', rules.callingCode, `00${rules.callingCode}`].map((x) => x + national)
      for (const spelling of digits) {
        expect(canonicalPhone(spelling, rules)).toBe(phone)
        const written = Array.from(spelling, (digit, at) => digit + (between[at] ?? '')).join('')
        expect(phoneFromPerson(written, rules)).toBe(phone)
      }
      expect(phoneFromPerson(`+${phone}`, rules)).toBe(phone)
    }),
  )
})

test('what a person writes is read as a phone of this country or as none, and that phone reads as itself', () => {
  const texts = fc.oneof(
    almostPhones,
    fc.string(),
    almostPhones.map((digits) => `+${digits}`),
  )
  fc.assert(
    fc.property(texts, rulesOfBoth, (text, rules) => {
      const phone = phoneFromPerson(text, rules)
      if (phone === undefined) return
      expect(phone).toMatch(new RegExp(`^${rules.callingCode}[1-9][0-9]{8}$`))
      expect(phoneFromPerson(phone, rules)).toBe(phone)
    }),
    runs,
  )
})

test('a phone of another country is never read as one of this country', () => {
  fc.assert(
    fc.property(mobiles, (national) => {
      expect(canonicalPhone(`256${national}`, ke)).toBe(`256${national}`)
      expect(canonicalPhone(`254${national}`, ug)).toBe(`254${national}`)
      expect(phoneFromPerson(`+256${national}`, ke)).toBeUndefined()
      expect(phoneFromPerson(`254${national}`, ug)).toBeUndefined()
    }),
  )
  const abroad = fc.tuple(fc.constantFrom('+', '00', ' +', '(+'), digitText(9, 15))
  fc.assert(
    fc.property(abroad, rulesOfBoth, ([prefix, digits], rules) => {
      fc.pre(!digits.replace(/^0+/, '').startsWith(rules.callingCode))
      expect(phoneFromPerson(prefix + digits, rules)).toBeUndefined()
    }),
    runs,
  )
})
