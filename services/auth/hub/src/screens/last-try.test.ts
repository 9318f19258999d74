import type { PaymentView } from '@malipo/interface/hub'
import { lastTry } from './last-try'

type Tried = Parameters<typeof lastTry>[0]
const noTry: Tried = { payment: null, found_unpaid: false, reported_at: null, may_have_paid: false }

const payment = (
  status: PaymentView['status'],
  cause: PaymentView['cause'] = null,
  known: Partial<Tried> = {},
) =>
  lastTry({
    ...noTry,
    ...known,
    payment: {
      intent_id: 'pi_1',
      status,
      amount_settled: null,
      provider_receipt: null,
      phone: '***678',
      rail: 'mpesa',
      cause,
    },
  })

test("shows that a checkout's intent failed, and why", () => {
  const failed = { kind: 'warn', text: 'last try failed', why: 'Wrong PIN' }
  expect(payment('failed', 'wrong_pin')).toEqual(failed)
})

test('does not call an intent without an answer failed: its money may still come', () => {
  expect(payment('expired', 'unconfirmed')?.text).toBe('last try not confirmed')
})

test('shows an intent with a closed report as not paid, and promises no money', () => {
  expect(payment('expired', 'unconfirmed', { found_unpaid: true })).toEqual({
    kind: 'warn',
    text: 'last try not paid',
    why: 'Reported as paid; our check found no payment',
  })
  expect(payment('failed', 'wrong_pin', { found_unpaid: true })?.text).toBe('last try failed')
})

test('distinguishes an intent in flight from no intent', () => {
  expect(payment('pending')?.text).toBe('payment in progress')
  expect(lastTry({ ...noTry, found_unpaid: true })).toBeUndefined()
})

test('shows an intent reported as paid as such, whatever the provider answered before', () => {
  const reported = (status: PaymentView['status'], cause: PaymentView['cause']) =>
    payment(status, cause, { reported_at: '2026-11-22T09:00:00.000Z' })?.text
  expect(reported('failed', 'cancelled')).toBe('reported as paid')
  expect(reported('expired', 'unconfirmed')).toBe('reported as paid')
  expect(reported('pending', null)).toBe('reported as paid')
})

test.each([
  ['failed', 'wrong_pin', 'Wrong PIN. Money of this or an earlier try may still arrive.'],
  [
    'expired',
    'not_started',
    'Nothing was sent to the payer. Money of this or an earlier try may still arrive.',
  ],
] as const)(
  'does not call the last try %s (%s) failed while money of an earlier one may still come',
  (status, cause, why) => {
    const shown = payment(status, cause, { may_have_paid: true })
    expect(shown).toEqual({ kind: 'warn', text: 'payment not confirmed', why: `${why} ${advice}` })
  },
)

const advice = 'Do not deliver yet, and do not ask for it again: wait until it is confirmed'

test('asks the merchant to wait during a try, after one without an answer, and after a report without a try', () => {
  const why = `Money of this or an earlier try may still arrive. ${advice}`
  const inProgress = { kind: 'calm', text: 'payment in progress', why }
  expect(payment('pending', null, { may_have_paid: true })).toEqual(inProgress)
  expect(payment('expired', 'unconfirmed', { may_have_paid: true })).toEqual({
    kind: 'warn',
    text: 'last try not confirmed',
    why: 'No answer from the provider; money may still arrive',
  })
  expect(lastTry({ ...noTry, may_have_paid: true })).toEqual({
    kind: 'warn',
    text: 'payment not confirmed',
    why: `A payment was reported and may still arrive. ${advice}`,
  })
})

test('says that money was given back, also while money of another try may still come', () => {
  const why = `Money of this or an earlier try may still arrive. ${advice}`
  const returned = { kind: 'warn', text: 'money given back', why }
  expect(payment('reversed', null, { may_have_paid: true })).toEqual(returned)
})

test('shows no result for a try whose money is held, which another badge shows', () => {
  expect(payment('completed', null, { may_have_paid: true })).toBeUndefined()
})
