import { readPaymentSearch } from './payment-search'

test.each([
  ['cs_ke_0123456789abcdef01234567', { by: 'checkout', text: 'cs_ke_0123456789abcdef01234567' }],
  ['pi_0123456789abcdef01234567', { by: 'intent', text: 'pi_0123456789abcdef01234567' }],
  [' mpesa:QK12AB ', { by: 'receipt', provider: 'mpesa', text: 'QK12AB' }],
  ['mtn_momo:1432942836', { by: 'receipt', provider: 'mtn_momo', text: '1432942836' }],
  ['order-77', { by: 'word', text: 'order-77', phoneTail: undefined }],
  ['678', { by: 'word', text: '678', phoneTail: '678' }],
  ['0712 345 678', { by: 'word', text: '0712 345 678', phoneTail: '712345678' }],
  ['+254712345678', { by: 'word', text: '+254712345678', phoneTail: '254712345678' }],
])('reads what was typed as %s by its form', (typed, search) => {
  expect(readPaymentSearch(typed)).toEqual(search)
})

test.each(['', ' 12 ', 'card:12', 'x'.repeat(65), 'ab\0c'])(
  'looks for nothing when "%s" is typed',
  (typed) => {
    expect(readPaymentSearch(typed)).toBeUndefined()
  },
)
