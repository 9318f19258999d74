import type { CheckoutStatus, IntentStatus } from '@malipo/interface/fields'
import type { FailureCause } from '@malipo/kernel/failure-cause'
import type { Attempt, PayerCheckout } from '@malipo/ledger-client/checkouts'
import { screenOf } from './screen'

const startedAt = new Date('2026-11-20T09:00:00Z')
const seconds = (count: number) => startedAt.getTime() + count * 1_000

const attemptOf = (status: IntentStatus, cause?: FailureCause): Attempt => ({
  intentId: 'pi_1',
  status,
  rail: 'mpesa',
  phone: '254712345678',
  cause,
  startedAt,
  ...{ sentAt: undefined, deadlineAt: undefined, isQueued: false, isUnanswered: false },
})
/** As the ledger derives `mayHavePaid`: an unconfirmed attempt may still get its money, and money may be held. */
const isUnsure = ({ status, cause }: Attempt) => cause === 'unconfirmed' || status === 'completed'
const checkoutOf = (status: CheckoutStatus, attempt?: Attempt) =>
  ({ status, attempt, mayHavePaid: attempt !== undefined && isUnsure(attempt) }) as PayerCheckout

const remarkOf = {
  isFoundUnpaid: 'found unpaid',
  isReported: 'reported',
  mayPayAgain: 'may pay again',
  mayHavePaid: 'may have paid',
  isReturned: 'returned',
  isHeld: 'money is held',
  noMoneyTaken: 'no money taken',
}

const shown = (status: CheckoutStatus, attempt: Attempt | undefined, atSecond = 5) =>
  describe(checkoutOf(status, attempt), atSecond)

const describe = (checkout: PayerCheckout, atSecond = 5) => {
  const screen = screenOf(checkout, seconds(atSecond))
  const flags: Readonly<Record<string, unknown>> = { ...screen }
  const remarks = [
    ...Object.entries(remarkOf).map(([name, remark]) => flags[name] === true && remark),
    screen.name === 'failed' && screen.cause,
  ]
  return [screen.name, ...remarks.filter((remark) => remark !== false)].join(', ')
}

test('has a screen for every state of a checkout and its intent', () => {
  const attempts: [IntentStatus, FailureCause?][] = [
    ['created'],
    ['reserved'],
    ['submitted'],
    ['pending'],
    ['completed'],
    ['failed', 'wrong_pin'],
    ['failed', 'unconfirmed'],
    ['failed'],
    ['expired', 'not_started'],
    ['expired', 'unconfirmed'],
    ['expired', 'cancelled'],
    ['expired'],
    ['reversed'],
  ]
  const rows = attempts.map(([status, cause]) => {
    const attempt = attemptOf(status, cause)
    return `${status} ${cause ?? ''}: ${shown('open', attempt)} | ${shown('expired', attempt)} | ${shown('completed', attempt)}`
  })
  expect([`none: ${shown('open', undefined)} | ${shown('expired', undefined)}`, ...rows])
    .toMatchInlineSnapshot(`
   [
     "none: start | expired",
     "created : waiting | waiting | paid",
     "reserved : waiting | waiting | paid",
     "submitted : waiting | waiting | paid",
     "pending : waiting | waiting | paid",
     "completed : unconfirmed, may pay again, money is held | expired, may have paid | paid",
     "failed wrong_pin: failed, no money taken, wrong_pin | expired | paid",
     "failed unconfirmed: unconfirmed, may pay again | expired, may have paid | paid",
     "failed : failed, unknown | expired | paid",
     "expired not_started: failed, no money taken, not_started | expired | paid",
     "expired unconfirmed: unconfirmed, may pay again | expired, may have paid | paid",
     "expired cancelled: failed, no money taken, cancelled | expired | paid",
     "expired : unconfirmed, may pay again | expired | paid",
     "reversed : start | expired | paid, returned",
   ]
  `)
})

test('shows a payment reported as paid as being checked, and never as failed', () => {
  const reported = (status: IntentStatus, cause?: FailureCause) => ({
    ...attemptOf(status, cause),
    reportedAt: startedAt,
  })
  expect([
    shown('open', reported('pending'), 9),
    shown('open', reported('pending'), 10),
    shown('open', reported('failed', 'wrong_pin')),
    shown('open', reported('expired', 'unconfirmed')),
  ]).toEqual([
    'waiting',
    'unconfirmed, reported',
    'unconfirmed, reported, may pay again',
    'unconfirmed, reported, may pay again',
  ])
})

test('stops waiting two minutes after the intent began', () => {
  expect(shown('open', attemptOf('pending'), 120)).toBe('waiting')
  expect(shown('open', attemptOf('pending'), 121)).toBe('unconfirmed')
})

test.each([
  ['mpesa', 60],
  ['mtn_momo', 300],
  ['airtel_money', 180],
] as const)('a prompt of %s stays open for %d s', (rail, life) => {
  const screen = screenOf(
    checkoutOf('open', { ...attemptOf('pending'), rail, sentAt: new Date(seconds(5)) }),
    seconds(10),
  )
  expect(screen).toMatchObject({ name: 'waiting', promptLeftMs: (life - 5) * 1_000 })
})

test('does not say that no money was taken while an earlier intent may have taken some', () => {
  const after = (status: CheckoutStatus, attempt?: Attempt) =>
    describe({ ...checkoutOf(status, attempt), mayHavePaid: true })
  expect(after('open', attemptOf('failed', 'cancelled'))).toBe('failed, may have paid, cancelled')
  expect(after('expired', attemptOf('failed', 'cancelled'))).toBe('expired, may have paid')
  expect(after('open', attemptOf('reversed'))).toBe('start, may have paid')
})

test('warns while a prompt is open whose checkout has got money from the menu that went back', () => {
  const returned = { ...checkoutOf('open', attemptOf('reversed')), intentId: 'pi_0' }
  expect(describe(returned)).toBe('start, may have paid')
})

test('shows a report that two operators closed as not paid, with the form', () => {
  const closed = (status: CheckoutStatus, attempt?: Attempt, mayHavePaid = false) =>
    describe({ ...checkoutOf(status, attempt), mayHavePaid, isFoundUnpaid: true })
  const expired = attemptOf('expired', 'unconfirmed')
  expect([closed('open', expired), closed('open')]).toEqual(Array(2).fill('start, found unpaid'))
  expect(closed('expired', expired)).toBe('expired')
  // The intent had failed for its own reason, and no payment came since.
  expect(closed('open', attemptOf('failed', 'wrong_pin'))).toBe('failed, no money taken, wrong_pin')
  expect(closed('open', attemptOf('pending'))).toBe('waiting')
  // Another intent may still be paid.
  expect(closed('open', expired, true)).toBe('unconfirmed, may pay again')
})

test('does not say that no money was taken after a failure that only status queries report', () => {
  const denied = (mayHavePaid: boolean) =>
    describe({
      ...checkoutOf('open', attemptOf('failed', 'cancelled')),
      ...{ mayHavePaid, deniedRail: 'mpesa' },
    })
  expect([denied(false), denied(true)]).toEqual([
    ...['failed, cancelled', 'failed, may have paid, cancelled'],
  ])
})

test.each(['open', 'expired'] as const)(
  'a payment reported from the menu is shown before anything else of a checkout that is %s',
  (status) => {
    const checkout = { ...checkoutOf(status, attemptOf('pending')), payBillReportedAt: startedAt }
    expect(screenOf(checkout, seconds(5))).toEqual({ name: 'reported', isPromptOpen: true })
  },
)

test('shows the receipt once it is paid', () => {
  const checkout = {
    ...checkoutOf('completed', attemptOf('completed')),
    payBillReportedAt: startedAt,
  }
  expect(screenOf(checkout, seconds(5)).name).toBe('paid')
})
