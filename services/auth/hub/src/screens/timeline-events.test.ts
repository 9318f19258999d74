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
    may_have_paid: false,
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
    frozen_at: null,
    returned_at: null,
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

test('shows a declined card without a prompt or phone, with its cause', () => {
  expect(linesOf({ rail: 'card', phone: null, cause: 'card_declined' })).toEqual([
    'Checkout created',
    'Card payment started',
    'Card page opened: The payer can enter the card',
    'No money taken: The bank declined the card',
  ])
})

test('shows a declined prompt as what its provider says, with its cause', () => {
  expect(linesOf({ cause: 'wrong_pin' })).toEqual([
    'Checkout created',
    'M-PESA payment started: Phone ***678',
    'Prompt sent: M-PESA has asked the payer',
    'M-PESA says that no money was taken: Wrong PIN',
  ])
})

test('shows a prompt that was never sent as no money taken', () => {
  const steps = [{ status: 'failed', at }] as const
  expect(linesOf({ cause: 'not_started', steps })[1]).toBe(
    'No money taken: Nothing was sent to the payer',
  )
})

test('shows none of the causes of MTN’s catch-all code as certain', () => {
  const text = causeText({ cause: 'no_funds', rail: 'mtn_momo' })
  expect(text).toBe('Insufficient funds, or a wrong PIN: MTN does not tell them apart')
  expect(causeText({ cause: 'no_funds', rail: 'mpesa' })).toBe('Insufficient funds')
})

test('shows the cause over_limit as an amount below or above what the payer may send', () => {
  const text = causeText({ cause: 'over_limit', rail: 'airtel_money' })
  expect(text).toBe('Below or above what the payer may send')
})

test('shows money as possible for an intent without an answer until its report is closed', () => {
  const last = (isFoundUnpaid: boolean) =>
    linesOf(
      { status: 'expired', cause: 'unconfirmed', steps: [{ status: 'expired', at }] },
      isFoundUnpaid,
    )[1]
  expect(last(false)).toBe('Stopped waiting: No answer from the provider; money may still arrive')
  expect(last(true)).toBe('Stopped waiting: Reported as paid; our check found no payment')
})

test('shows a report of payment that comes after a refusal as the latest state', () => {
  const view = viewOf({ cause: 'cancelled', steps: [{ status: 'failed', at }] })
  const checkout = { ...view.checkout, reported_at: '2026-11-20T09:00:30.000Z' }
  const events = eventsOf({ ...view, checkout }, at)
  expect(events.map(({ what }) => what)).toEqual([
    'Checkout created',
    'Reported as not paid',
    'Reported as paid',
  ])
})

test('shows a refusal as what its provider says once the report of payment is closed as not paid', () => {
  expect(linesOf({ cause: 'cancelled', steps: [{ status: 'failed', at }] }, true)[1]).toBe(
    'M-PESA says that no money was taken: The payer cancelled',
  )
})

test('does not show a refused intent that was paid after all as no money taken', () => {
  const steps = [
    { status: 'failed', at },
    { status: 'completed', at: '2026-11-20T09:00:30.000Z' },
  ] as const
  const lines = linesOf({
    ...{ status: 'completed', steps, amount_settled: '150000', provider_receipt: 'SGR7' },
  })
  expect(lines.slice(1)).toEqual([
    'Reported as not paid: No reason given',
    expect.stringMatching(/^Paid into your wallet: .*receipt SGR7$/),
  ])
})

describe('a frozen payment', () => {
  const minute = (count: number) => `2026-11-20T09:0${String(count)}:00.000Z`
  const frozen = {
    rail: 'paybill',
    status: 'completed',
    amount_settled: '40000',
    provider_receipt: 'SGR7',
    held_because: 'unconfirmed',
    frozen_at: minute(2),
    steps: [{ status: 'completed', at: minute(1) }],
  } as const satisfies Partial<AttemptView>
  const paid = expect.stringMatching(/^Paid into your wallet: .*receipt SGR7$/)
  const held =
    "Money held: M-PESA's statement does not show it. Do not deliver for this payment yet."

  test('shows as paid into the wallet and held since', () => {
    expect(linesOf(frozen)).toEqual(['Checkout created', paid, held])
  })

  test('shows the freeze and the return in order', () => {
    const back = { ...frozen, held_because: null, returned_at: minute(3) }
    const returned =
      'Money back in your wallet: The payment that was frozen is confirmed. You can deliver.'
    expect(linesOf(back)).toEqual(['Checkout created', paid, held, returned])
  })

  test('shows as taken back for good when operators gave it up, and as given back when it was refunded', () => {
    const steps = [...frozen.steps, { status: 'reversed', at: minute(4) }] as const
    const gone = { ...frozen, held_because: null, status: 'reversed', steps } as const
    const last = (attempt: Partial<AttemptView>) => linesOf(attempt).at(-1)
    expect(last(gone)).toMatch(/^Taken back for good: two of our operators checked with M-PESA/i)
    expect(last({ ...gone, returned_at: minute(3) })).toBe('Money given back')
  })
})

test.each(failureCauses)('has a text for the cause %s, by phone and by card', (cause) => {
  const texts = [causeText({ cause, rail: 'mpesa' }), causeText({ cause, rail: 'card' })]
  expect(texts.filter((text) => text === '' || text === 'No reason given')).toEqual([])
  expect(texts[1]).not.toMatch(/phone|prompt/i)
})

test('says of held money that its amount differs from that of the checkout', () => {
  const steps = [{ status: 'completed', at }] as const
  const held = {
    status: 'completed',
    held_because: 'mismatch',
    amount_settled: '100000',
    steps,
  } as const
  expect(linesOf({ ...held, provider_receipt: 'UKT5XO61' })).toEqual([
    'Checkout created',
    'Money held: KES\u00a01,000.00, receipt UKT5XO61: the amount differs from that of the checkout',
  ])
})
