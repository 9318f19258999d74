import { payHandleSchema } from './handle'
import { validate } from './validate'

const schema = payHandleSchema(['mpesa'])
const body = { handle: 'Mama.Mboga-1_2', amount: 50_000, phone: '254712345678' }
const read = (changes: object) => validate(schema, { ...body, ...changes })

test.each([
  [1, 1n],
  [50_000, 50_000n],
  ['50000', 50_000n],
  ['1', 1n],
  [9_007_199_254_740_991, 9_007_199_254_740_991n],
  ['9007199254740991', 9_007_199_254_740_991n],
])('a payment to a handle takes the amount %p', (amount, minor) => {
  expect(read({ amount }).amount).toBe(minor)
})

test.each([
  0,
  -1,
  0.5,
  '0',
  '-1',
  '0.5',
  '1e3',
  '0500',
  '+5',
  ' 5',
  '5 ',
  '',
  '٥٠٠',
  '9007199254740992',
  '9'.repeat(400),
  null,
  true,
  [500],
  undefined,
])('a payment to a handle refuses the amount %p', (amount) => {
  expect(() => read({ amount })).toThrow('invalid_request')
})

test.each(['', 'a b', 'a/b', 'möbel', 'a'.repeat(65), '%2F', 7, undefined])(
  'a payment refuses the handle %p',
  (handle) => {
    expect(() => read({ handle })).toThrow('invalid_request')
  },
)

test('a refusal names a wrong amount once, although the amount may be a number or text', () => {
  expect(() => read({ amount: 'ten' })).toThrow(
    expect.objectContaining({
      fields: [{ path: 'amount', message: 'must be whole minor units, at least 1' }],
    }) as Error,
  )
})
