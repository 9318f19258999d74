import fc from 'fast-check'
import { minorSchema } from './fields'
import { payHandleSchema } from './handle'
import { createCheckoutSchema } from './merchant-checkout'

/** JSON values in the place of an amount, most of them close to a valid amount. */
const values: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue(),
  fc.integer({ min: -2, max: 200 }),
  fc.maxSafeInteger(),
  fc.double(),
  fc.constantFrom(
    2 ** 53,
    2 ** 53 - 1,
    1e21,
    '9007199254740991',
    '9007199254740992',
    '9'.repeat(40),
  ),
  fc.bigInt({ min: -(2n ** 54n), max: 2n ** 54n }).map(String),
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789.+-en_ \n٣')), maxLength: 5 }),
  fc.array(fc.integer({ min: 1 }), { maxLength: 2 }),
)

const isExact = (minor: bigint) => minor >= 1n && minor <= 2n ** 53n - 1n
const isAmountNumber = (value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && isExact(BigInt(value))
/** Whether a value is money as answers print it: ASCII digits without sign, leading zero or space. */
const isMinorText = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9]+$/.test(value) && String(BigInt(value)) === value

const runs = { numRuns: 1_000 }

test('the amount of a checkout is a whole number of minor units that JSON says exactly, and nothing else', () => {
  fc.assert(
    fc.property(values, (amount) => {
      const { data } = createCheckoutSchema.safeParse({ amount })
      expect(data?.amount).toBe(isAmountNumber(amount) ? amount : undefined)
    }),
    runs,
  )
})

test('a payment to a handle takes whole minor units as a number or as digits, and prints them back unchanged', () => {
  const schema = payHandleSchema(['mpesa'])
  fc.assert(
    fc.property(values, (amount) => {
      const { data } = schema.safeParse({ handle: 'amina', phone: '254712345678', amount })
      const isAmount = isAmountNumber(amount) || (isMinorText(amount) && isExact(BigInt(amount)))
      expect(data?.amount.toString()).toBe(isAmount ? String(amount) : undefined)
    }),
    runs,
  )
})

test('money in an answer is only digits without leading zeros, which read back as the same amount', () => {
  fc.assert(
    fc.property(values, (amount) => {
      expect(minorSchema.safeParse(amount).success).toBe(isMinorText(amount))
    }),
    runs,
  )
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), (minor) => {
      expect(BigInt(minorSchema.parse(minor.toString()))).toBe(minor)
    }),
  )
})
