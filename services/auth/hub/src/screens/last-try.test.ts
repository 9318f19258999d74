import type { PaymentView } from '@malipo/interface/hub'
import { lastTry } from './last-try'

const payment = (
  status: PaymentView['status'],
  cause: PaymentView['cause'] = null,
  isFoundUnpaid = false,
) =>
  lastTry({
    found_unpaid: isFoundUnpaid,
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

test('a checkout whose attempt failed says so, and why', () => {
  const failed = { kind: 'warn', text: 'last try failed', why: 'Wrong PIN' }
  expect(payment('failed', 'wrong_pin')).toEqual(failed)
})

test('an attempt without an answer is not called failed: its money may still come', () => {
  expect(payment('expired', 'unconfirmed')?.text).toBe('last try not confirmed')
})

test('an attempt whose report was closed is told of as not paid, and promises no money', () => {
  expect(payment('expired', 'unconfirmed', true)).toEqual({
    kind: 'warn',
    text: 'last try not paid',
    why: 'Reported as paid; our check found no payment',
  })
  expect(payment('failed', 'wrong_pin', true)?.text).toBe('last try failed')
})

test('an attempt in flight and none at all are told apart', () => {
  expect(payment('pending')?.text).toBe('payment in progress')
  expect(lastTry({ payment: null, found_unpaid: true })).toBeUndefined()
})
