import { payByCardSchema } from './card-payment'

const read = (body: object) => payByCardSchema.safeParse(body)

test('a card payment needs neither name, email nor phone of the payer', () => {
  expect(read({}).success).toBe(true)
  const payer = { payer_name: 'Amina', payer_email: 'a@example.com', phone: '254708374149' }
  expect(read(payer).data).toEqual(payer)
})

test.each([
  ['an empty name', { payer_name: '' }],
  ['a name of 101 characters', { payer_name: 'x'.repeat(101) }],
  ['an invalid email', { payer_email: 'amina' }],
  ['an email of 255 characters', { payer_email: `${'x'.repeat(243)}@example.com` }],
  ['a phone with a plus', { phone: '+254708374149' }],
  ['an amount', { amount: 1 }],
  ['a card number', { card_number: 'x' }],
  ['null', { payer_name: null }],
])('a card payment refuses %s', (_, body) => {
  expect(read(body).success).toBe(false)
})
