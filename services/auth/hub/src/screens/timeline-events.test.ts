import type { AttemptView, CheckoutView } from '@malipo/interface/hub'
import { failureCauses } from '@malipo/kernel/failure-cause'
import { causeText } from './cause-text'
import { eventsOf } from './timeline-events'

const at = '2026-11-20T09:00:00.000Z'

function viewOf(attempt: Partial<AttemptView>, isFoundUnpaid = false) {
  const checkout: CheckoutView = {
    id: 'cs_ke_000000000000000000000001',
    status: 'open',
    amount: '150000',
    currency: 'KES',
    reference: null,
    description: null,
    created_at: at,
    expires_at: '2026-11-20T09:30:00.000Z',
    completed_at: null,
    paid_after_expiry: false,
    money_held: false,
    found_unpaid: isFoundUnpaid,
    reported_at: null,
    payment: null,
  }
  const made: AttemptView = {
    intent_id: 'pi_1',
    status: 'failed',
    rail: 'mpesa',
    phone: '***678',
    cause: null,
    started_at: at,
    amount_settled: null,
    provider_receipt: null,
    held_because: null,
    steps: [
      { status: 'created', at },
      { status: 'pending', at },
      { status: 'failed', at },
    ],
    ...attempt,
  }
  return { checkout, return_url: null, url: '', paybill_account_number: null, attempts: [made] }
}

const linesOf = (attempt: Partial<AttemptView>, isFoundUnpaid = false) =>
  eventsOf(viewOf(attempt, isFoundUnpaid), at).map(({ what, detail }) =>
    detail === undefined ? what : `${what}: ${detail}`,
  )

test('a declined card reads as a card: no prompt, no phone, and the cause', () => {
  expect(linesOf({ rail: 'card', phone: null, cause: 'card_declined' })).toEqual([
    'Checkout created',
    'Card payment started',
    'Card page opened: The payer can enter the card',
    'No money taken: The bank declined the card',
  ])
})

test('a declined prompt reads as a prompt', () => {
  expect(linesOf({ cause: 'wrong_pin' })).toEqual([
    'Checkout created',
    'M-PESA payment started: Phone ***678',
    'Prompt sent: M-PESA has asked the payer',
    'No money taken: Wrong PIN',
  ])
})

test('an attempt without an answer promises money until its report is closed', () => {
  const last = (isFoundUnpaid: boolean) =>
    linesOf(
      { status: 'expired', cause: 'unconfirmed', steps: [{ status: 'expired', at }] },
      isFoundUnpaid,
    )[1]
  expect(last(false)).toBe('Stopped waiting: No answer from the provider; money may still arrive')
  expect(last(true)).toBe('Stopped waiting: Reported as paid; our check found no payment')
})

test('a report of payment after a refusal is the last word', () => {
  const view = viewOf({ cause: 'cancelled', steps: [{ status: 'failed', at }] })
  const checkout = { ...view.checkout, reported_at: '2026-11-20T09:00:30.000Z' }
  const events = eventsOf({ ...view, checkout }, at)
  expect(events.map(({ what }) => what)).toEqual([
    'Checkout created',
    'No money taken',
    'Reported as paid',
  ])
})

test.each(failureCauses)('the cause %s has a text, by phone and by card', (cause) => {
  const texts = [causeText({ cause, rail: 'mpesa' }), causeText({ cause, rail: 'card' })]
  expect(texts.filter((text) => text === '' || text === 'No reason given')).toEqual([])
  expect(texts[1]).not.toMatch(/phone|prompt/i)
})
