import type { CheckoutStatus, IntentStatus } from '@malipo/interface/fields'
import type { Attempt, FailureCause, PayerCheckout } from '../clients/checkout'
import { screenOf, tookNothing } from './screen'

const startedAt = new Date('2026-11-20T09:00:00Z')
const seconds = (count: number) => startedAt.getTime() + count * 1_000

const attemptOf = (status: IntentStatus, cause?: FailureCause): Attempt => ({
  intentId: 'pi_1',
  status,
  rail: 'mpesa',
  phone: '254712345678',
  cause,
  startedAt,
})
const checkoutOf = (status: CheckoutStatus, attempt?: Attempt) =>
  ({ status, attempt }) as PayerCheckout

const remarkOf = {
  mayPayAgain: 'may pay again',
  mayHavePaid: 'may have paid',
  isReturned: 'returned',
}

const shown = (status: CheckoutStatus, attempt: Attempt | undefined, atSecond = 5) => {
  const screen = screenOf(checkoutOf(status, attempt), seconds(atSecond))
  const said: Readonly<Record<string, unknown>> = { ...screen }
  const remarks = [
    ...Object.entries(remarkOf).map(([name, remark]) => said[name] === true && remark),
    screen.name === 'failed' && screen.cause,
    attempt !== undefined && tookNothing(attempt) && 'no money taken',
  ]
  return [screen.name, ...remarks.filter((remark) => remark !== false)].join(', ')
}

test('every state of a checkout and its newest attempt has its screen', () => {
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
     "completed : unconfirmed, may pay again | expired, may have paid | paid",
     "failed wrong_pin: failed, wrong_pin, no money taken | expired, no money taken | paid, no money taken",
     "failed unconfirmed: unconfirmed, may pay again | expired, may have paid | paid",
     "failed : failed, unknown | expired | paid",
     "expired not_started: failed, not_started, no money taken | expired, no money taken | paid, no money taken",
     "expired unconfirmed: unconfirmed, may pay again | expired, may have paid | paid",
     "expired : unconfirmed, may pay again | expired, may have paid | paid",
     "reversed : start | expired | paid, returned",
   ]
  `)
})

test('waiting ends two minutes after the attempt began', () => {
  expect(shown('open', attemptOf('pending'), 120)).toBe('waiting')
  expect(shown('open', attemptOf('pending'), 121)).toBe('unconfirmed')
})
