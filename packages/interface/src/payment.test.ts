import { intentSchema, payCheckoutSchema, paymentSchema } from './payment'

const schema = payCheckoutSchema(['mpesa'])

test.each([
  ['a phone', { phone: '254712345678' }, true],
  ['a phone and a rail of this host', { phone: '254712345678', rail: 'mpesa' }, true],
  ['no phone', {}, false],
  ['a rail of another host', { phone: '254712345678', rail: 'mtn_momo' }, false],
  ['an unknown rail', { phone: '254712345678', rail: 'cash' }, false],
  ['an amount, which the payer cannot change', { phone: '254712345678', amount: 1 }, false],
])('a request to pay with %s (%j) is accepted: %s', (_, body, accepted) => {
  expect(schema.safeParse(body).success).toBe(accepted)
})

test('the payer views of a started payment and of an intent have the fields of the interface and no others', () => {
  expect(Object.keys(paymentSchema.shape)).toEqual(
    'intent_id status amount currency rail message'.split(' '),
  )
  expect(Object.keys(intentSchema.shape)).toEqual(
    'intent_id status amount_settled currency'.split(' '),
  )
})
