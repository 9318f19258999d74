import { countries } from '@malipo/kernel/countries'
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

test('a Ugandan number is read by the rules of Uganda', () => {
  expect(canonicalPhone('0772123456', ug)).toBe('256772123456')
  expect(canonicalPhone('2560772123456', ug)).toBe('256772123456')
})

test.each([
  ['nine digits that are no mobile number', '123456789', '123456789'],
  ['fifteen digits', '123456789012345', '123456789012345'],
  ['a number of another country', '256772123456', '256772123456'],
  ['a number of another country with zeros', '00256772123456', '256772123456'],
])('leaves %s as it is', (_, given, kept) => {
  expect(canonicalPhone(given, ke)).toBe(kept)
})

test.each(['000000000', '012345678', '000000000000007'])(
  'refuses %s: too little of it is a number',
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
])('the shape of a phone in a request: %s', (_, text, fits) => {
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
  ' 0712.345.678 ',
])('a person may write %j', (text) => {
  expect(phoneFromPerson(text, ke)).toBe('254712345678')
})

test.each(['', 'phone', '0712 345', '07123456789', '+256 772 123 456', '254712345'])(
  'a person is asked again after %j',
  (text) => {
    expect(phoneFromPerson(text, ke)).toBeUndefined()
  },
)
