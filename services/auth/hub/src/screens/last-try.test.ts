import type { PaymentView } from '@malipo/interface/hub'
import { lastTry } from './last-try'

const payment = (
  status: PaymentView['status'],
  cause: PaymentView['cause'] = null,
  isFoundUnpaid = false,
  reportedAt: string | null = null,
) =>
  lastTry({
    found_unpaid: isFoundUnpaid,
    reported_at: reportedAt,
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
  expect(payment('expired', 'unconfirmed', true)).toEqual({
    kind: 'warn',
    text: 'last try not paid',
    why: 'Reported as paid; our check found no payment',
  })
  expect(payment('failed', 'wrong_pin', true)?.text).toBe('last try failed')
})

test('distinguishes an intent in flight from no intent', () => {
  expect(payment('pending')?.text).toBe('payment in progress')
  expect(lastTry({ payment: null, found_unpaid: true, reported_at: null })).toBeUndefined()
})

test('shows an intent reported as paid as such, whatever the provider answered before', () => {
  const reported = (status: PaymentView['status'], cause: PaymentView['cause']) =>
    payment(status, cause, false, '2026-11-22T09:00:00.000Z')?.text
  expect(reported('failed', 'cancelled')).toBe('reported as paid')
  expect(reported('expired', 'unconfirmed')).toBe('reported as paid')
  expect(reported('pending', null)).toBe('reported as paid')
})
