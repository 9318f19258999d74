import type { AttemptView, CheckoutView } from '@malipo/interface/hub'
import { completedNote, isReversed } from './completed-note'

const payment = (status: AttemptView['status'] = 'completed'): AttemptView => ({
  intent_id: 'pi_1',
  status,
  amount_settled: '150000',
  provider_receipt: 'UKT5XO61',
  phone: '***678',
  rail: 'mpesa',
  cause: null,
  started_at: '2026-11-20T09:00:00.000Z',
  held_because: null,
  frozen_at: null,
  returned_at: null,
  steps: [],
})

function noteOf(attempts: readonly AttemptView[], changes: Partial<CheckoutView> = {}) {
  const [first] = attempts
  const checkout = { status: 'completed', paid_after_expiry: true, payment: first, ...changes }
  return completedNote({ checkout: checkout as CheckoutView, attempts })
}

test('says of a checkout that was paid after it expired that its order is to be delivered', () => {
  expect(noteOf([payment()])).toBe(
    'The money came after the checkout had expired. The checkout is completed: deliver its order, unless you have delivered it for another checkout.',
  )
  expect(noteOf([payment()], { paid_after_expiry: false })).toBeUndefined()
})

test('does not ask to deliver for money that has gone out of the wallet again', () => {
  const reversed = payment('reversed')
  expect(noteOf([reversed])).toBe(
    'The money of this checkout has gone out of your wallet again; the timeline says why. Do not deliver for it.',
  )
  expect(noteOf([reversed], { paid_after_expiry: false })).toBe(noteOf([reversed]))
  expect(noteOf([reversed], { status: 'expired', paid_after_expiry: false })).toBeUndefined()
})

test('does not ask to deliver while the money of the payment is held, but does when a second payment is', () => {
  expect(noteOf([{ ...payment(), held_because: 'unconfirmed' }])).toBeUndefined()
  const second = { ...payment(), intent_id: 'pi_2', held_because: 'duplicate' }
  expect(noteOf([payment(), second])).toMatch(/deliver its order/)
})

test('a completed checkout whose payment was reversed is marked as such', () => {
  const shown = (status: CheckoutView['status'], paid: AttemptView | null) =>
    isReversed({ status, payment: paid })
  expect(shown('completed', payment('reversed'))).toBe(true)
  expect(shown('completed', payment())).toBe(false)
  expect(shown('expired', payment('reversed'))).toBe(false)
  expect(shown('open', null)).toBe(false)
})
