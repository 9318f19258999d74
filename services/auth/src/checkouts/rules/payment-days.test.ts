import { type PaymentCount, paymentDays, unpaidCauses } from './payment-days'

const paid = (changes: Partial<PaymentCount> = {}): PaymentCount => ({
  day: '2026-10-31',
  rail: 'mpesa',
  paidMinor: 50_000n,
  cause: undefined,
  count: 1,
  ...changes,
})
const unpaid = (changes: Partial<PaymentCount> = {}) =>
  paid({ paidMinor: undefined, cause: 'no_funds', ...changes })

test('has every day of the span, also those without payments and over the end of a month', () => {
  const span = { firstDay: '2026-10-30', lastDay: '2026-11-01' }
  expect(paymentDays(span, [paid()])).toEqual([
    { day: '2026-10-30', rails: [] },
    { day: '2026-10-31', rails: [{ rail: 'mpesa', paid: 1, paidMinor: 50_000n, unpaid: 0 }] },
    { day: '2026-11-01', rails: [] },
  ])
})

test('adds up each rail of a day, whatever the causes', () => {
  const counts = [
    paid({ count: 3 }),
    unpaid({ count: 2 }),
    unpaid({ cause: undefined }),
    paid({ rail: 'card', paidMinor: 7n }),
  ]
  const [day] = paymentDays({ firstDay: '2026-10-31', lastDay: '2026-10-31' }, counts)
  expect(day?.rails).toEqual([
    { rail: 'mpesa', paid: 3, paidMinor: 50_000n, unpaid: 3 },
    { rail: 'card', paid: 1, paidMinor: 7n, unpaid: 0 },
  ])
})

test('has no day when the first that could be counted is after the last', () => {
  expect(paymentDays({ firstDay: '2026-11-03', lastDay: '2026-11-01' }, [])).toEqual([])
})

test('adds up the causes of a rail over the days, the commonest first', () => {
  const counts = [
    paid({ count: 9 }),
    unpaid({ cause: 'cancelled', count: 2 }),
    unpaid({ day: '2026-11-01', count: 2 }),
    unpaid(),
    unpaid({ rail: 'card' }),
  ]
  expect(unpaidCauses(counts)).toEqual([
    { rail: 'mpesa', cause: 'no_funds', count: 3 },
    { rail: 'mpesa', cause: 'cancelled', count: 2 },
    { rail: 'card', cause: 'no_funds', count: 1 },
  ])
})
