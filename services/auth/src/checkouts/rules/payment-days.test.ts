import { type PaymentCount, paymentDays, unpaidCauses } from './payment-days'

const paid = (changes: Partial<PaymentCount> = {}): PaymentCount => ({
  day: '2026-10-31',
  rail: 'mpesa',
  paidMinor: 50_000n,
  cause: undefined,
  mayHavePaid: false,
  count: 1,
  ...changes,
})
const unpaid = (changes: Partial<PaymentCount> = {}) =>
  paid({ paidMinor: undefined, cause: 'no_funds', ...changes })

const none = { unpaid: 0, unconfirmed: 0 }

test('lists every day of the span, also days without payments and across the end of a month', () => {
  const span = { firstDay: '2026-10-30', lastDay: '2026-11-01' }
  expect(paymentDays(span, [paid()])).toEqual([
    { day: '2026-10-30', rails: [] },
    { day: '2026-10-31', rails: [{ ...none, rail: 'mpesa', paid: 1, paidMinor: 50_000n }] },
    { day: '2026-11-01', rails: [] },
  ])
})

test('adds up the attempts of each rail of a day over all causes', () => {
  const counts = [
    paid({ count: 3 }),
    unpaid({ count: 2 }),
    unpaid({ cause: undefined }),
    paid({ rail: 'card', paidMinor: 7n }),
  ]
  const [day] = paymentDays({ firstDay: '2026-10-31', lastDay: '2026-10-31' }, counts)
  expect(day?.rails).toEqual([
    { ...none, rail: 'mpesa', paid: 3, paidMinor: 50_000n, unpaid: 3 },
    { ...none, rail: 'card', paid: 1, paidMinor: 7n },
  ])
})

test('counts attempts whose money may still come separately from those that were not paid', () => {
  const counts = [
    unpaid({ count: 2 }),
    unpaid({ cause: 'unconfirmed', mayHavePaid: true, count: 3 }),
    unpaid({ cause: 'cancelled', mayHavePaid: true }),
    unpaid({ cause: 'unconfirmed' }),
  ]
  const [day] = paymentDays({ firstDay: '2026-10-31', lastDay: '2026-10-31' }, counts)
  expect(day?.rails).toEqual([{ rail: 'mpesa', paid: 0, paidMinor: 0n, unpaid: 3, unconfirmed: 4 }])
  expect(unpaidCauses(counts)).toEqual([
    { rail: 'mpesa', cause: 'no_funds', count: 2 },
    { rail: 'mpesa', cause: 'unconfirmed', count: 1 },
  ])
})

test('lists no day when the first day of the span is after its last', () => {
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
