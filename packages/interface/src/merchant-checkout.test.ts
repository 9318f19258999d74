import { createCheckoutSchema, merchantCheckoutSchema } from './merchant-checkout'

const pathsRefused = (input: object) =>
  createCheckoutSchema
    .safeParse({ amount: 100, ...input })
    .error?.issues.map((issue) => issue.path.join('.')) ?? []

test.each([
  ['amount alone', {}],
  ['the smallest amount', { amount: 1 }],
  ['the largest amount', { amount: Number.MAX_SAFE_INTEGER }],
  ['a reference of 64', { reference: 'r'.repeat(64) }],
  ['a description of 140', { description: 'd'.repeat(140) }],
  ['a description of 140 emoji', { description: '🙂'.repeat(140) }],
  ['a return_url', { return_url: 'https://shop.example' }],
  ['a phone', { phone: '254712345678' }],
])('a checkout may be asked for with %s', (_, input) => {
  expect(pathsRefused(input)).toEqual([])
})

test.each([
  ['no amount', { amount: undefined }, 'amount'],
  ['an amount of 0', { amount: 0 }, 'amount'],
  ['a negative amount', { amount: -100 }, 'amount'],
  ['a fraction', { amount: 100.5 }, 'amount'],
  ['an amount above 2^53', { amount: 2 ** 53 }, 'amount'],
  ['an amount in a string', { amount: '100' }, 'amount'],
  ['an amount of null', { amount: null }, 'amount'],
  ['an empty reference', { reference: '' }, 'reference'],
  ['a reference of 65', { reference: 'r'.repeat(65) }, 'reference'],
  ['a reference of null', { reference: null }, 'reference'],
  ['an empty description', { description: '' }, 'description'],
  ['a description of 141', { description: 'd'.repeat(141) }, 'description'],
  ['a return_url over http', { return_url: 'http://shop.example' }, 'return_url'],
  ['a phone of 8', { phone: '25471234' }, 'phone'],
  ['a phone that is a number', { phone: 254712345678 }, 'phone'],
])('a checkout may not be asked for with %s', (_, input, path) => {
  expect(pathsRefused(input)).toEqual([path])
})

test.each(['currency', 'id', 'card', '__proto__x'])('the unknown field %s is refused', (field) => {
  expect(createCheckoutSchema.safeParse({ amount: 100, [field]: 'x' }).success).toBe(false)
})

test('the merchant view of a checkout and of its payment has the fields of the interface and no others', () => {
  expect(Object.keys(merchantCheckoutSchema.shape)).toEqual(
    'id url status amount currency reference description return_url expires_at created_at payment'.split(
      ' ',
    ),
  )
  expect(Object.keys(merchantCheckoutSchema.shape.payment.unwrap().shape)).toEqual(
    'intent_id status amount_settled provider_receipt phone'.split(' '),
  )
})
