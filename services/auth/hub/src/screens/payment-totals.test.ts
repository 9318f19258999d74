import { type RailView, successOf, totalsByRail, totalsOf } from './payment-totals'

const one = (changes: Partial<RailView> = {}): RailView => ({
  rail: 'mpesa',
  paid: 1,
  received: '50000',
  unpaid: 0,
  unconfirmed: 0,
  ...changes,
})

test('adds up rails, also amounts above the largest safe integer', () => {
  const large = String(2n ** 60n)
  expect(
    totalsOf([one({ received: large }), one({ received: '1', unpaid: 2, unconfirmed: 3 })]),
  ).toEqual({
    paid: 2,
    receivedMinor: 2n ** 60n + 1n,
    unpaid: 2,
    unconfirmed: 3,
  })
})

test('adds up each rail over the days, the one that brought most first', () => {
  const days = [
    { day: '2026-11-23', rails: [one({ rail: 'paybill', received: '70000' }), one()] },
    { day: '2026-11-24', rails: [one({ unpaid: 3 })] },
  ]
  expect(totalsByRail(days)).toEqual([
    { rail: 'mpesa', paid: 2, receivedMinor: 100_000n, unpaid: 3, unconfirmed: 0 },
    { rail: 'paybill', paid: 1, receivedMinor: 70_000n, unpaid: 0, unconfirmed: 0 },
  ])
})

test.each<[string, RailView[], number | undefined]>([
  ['nothing was asked', [], undefined],
  ['all came from the Pay Bill menu', [one({ rail: 'paybill' })], undefined],
  ['one in 1,000 was not paid', [one({ paid: 999, unpaid: 1 })], 99],
  ['all were paid', [one()], 100],
  ['the money of one of two may still come', [one({ unconfirmed: 1 })], 50],
  ['none was paid', [one({ paid: 0, unpaid: 4 })], 0],
  ['one of two, beside Pay Bill', [one({ unpaid: 1 }), one({ rail: 'paybill', paid: 8 })], 50],
])('shows the share of attempts that were paid when %s', (_, rails, percent) => {
  expect(successOf(rails)).toBe(percent)
})
