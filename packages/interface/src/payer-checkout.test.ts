import { payerCheckoutSchema, readCheckoutSchema } from './payer-checkout'

test('the payer view of a checkout and of its payee has the fields of the interface and no others', () => {
  expect(Object.keys(payerCheckoutSchema.shape)).toEqual(
    'id status amount currency description phone intent_id return_url redirect_url paybill card expires_at'.split(
      ' ',
    ),
  )
  expect(Object.keys(readCheckoutSchema.shape.payee.shape)).toEqual(['paybill', 'amount'])
})
