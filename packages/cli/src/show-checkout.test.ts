import type { Checkout } from '@malipo/sdk'
import { showCheckout } from './show-checkout'

const checkout: Checkout = {
  id: 'cs_ke_0123456789abcdef01234567',
  url: 'https://payments.example/c/cs_ke_0123456789abcdef01234567',
  status: 'completed',
  amount: '150000',
  currency: 'KES',
  reference: 'order\u001B[2J-1',
  description: null,
  return_url: null,
  expires_at: '2026-11-20T09:30:00.000Z',
  created_at: '2026-11-20T09:00:00.000Z',
  payment: {
    intent_id: 'pi_1',
    status: 'completed',
    amount_settled: '150000',
    provider_receipt: 'SGL1ABCDEF',
    phone: '254712345678',
  },
}
const show = (changes: Partial<Checkout>) =>
  showCheckout({ ...checkout, ...changes }, { paint: (_, text) => text })

test('shows amount, receipt and page, and neither the phone nor control characters of a terminal', () => {
  expect(show({})).toBe(`cs_ke_0123456789abcdef01234567  completed
  amount       KES 1,500.00
  reference    order�[2J-1
  page         https://payments.example/c/cs_ke_0123456789abcdef01234567
  expires at   2026-11-20T09:30:00.000Z
  payment      completed SGL1ABCDEF`)
})

test.each([
  ['100', '1.00'],
  ['5', '0.05'],
  ['15000000', '150,000.00'],
])('%s minor units are shown as %s', (amount, shown) => {
  expect(show({ amount })).toContain(`KES ${shown}\n`)
})

test('shows a description of several lines on one', () => {
  const text = show({ description: 'Maize\r\n\tBeans' })
  expect(text).toContain('  description  Maize Beans\n')
})
