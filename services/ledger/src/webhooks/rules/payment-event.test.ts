import fc from 'fast-check'
import { decideExpiry } from '../../intents/rules/decide-begin-query'
import {
  intentEvents,
  intentInitialStates,
  intentMachine,
  type IntentStatus,
  intentStatuses,
} from '../../intents/rules/intent'
import { dispositions } from '../../journal/rules/postings'
import { noteEvent, type PaymentChange, paymentEventOf, type Standing } from './payment-event'

const open = { disposition: null } as const
const places = ['merchant', 'suspense_duplicate'] as const

/** Each step of the transition table from a status, with the places that the money may have before and after the step. */
function stepsOf(status: IntentStatus): readonly (readonly [string, Standing, Standing])[] {
  const hasMoney = status === 'completed' || status === 'reversed'
  return intentEvents.flatMap((event) => {
    const next = intentMachine[status][event]
    if (next === null) return []
    return places.flatMap((place) => {
      const isPaying = !hasMoney && next === 'completed'
      if (!hasMoney && !isPaying && place !== 'merchant') return []
      const before = { status, disposition: hasMoney ? place : null }
      const after = { status: next, disposition: hasMoney || isPaying ? place : null }
      const where = after.disposition === null ? '' : ` (${place})`
      return [[`${status}, ${event}: ${next}${where}`, before, after] as const]
    })
  })
}

test('the webhook event of each change of an intent', () => {
  const held = { status: 'completed', disposition: 'suspense_duplicate' } as const
  const others = [
    ...places.map((disposition) => {
      const matched = { status: intentInitialStates.matched, disposition }
      return [`matched (${disposition})`, undefined, matched] as const
    }),
    ['completed, placed elsewhere', held, { ...held, disposition: 'placed' }] as const,
  ]
  const lines = [...intentStatuses.flatMap(stepsOf), ...others].flatMap(([what, before, after]) => {
    const [unpaid, paid] = [false, true].map(
      (isCheckoutPaid) => paymentEventOf({ before, after, isCheckoutPaid }) ?? 'none',
    )
    const isSame = unpaid === 'none' && paid === 'none'
    return isSame ? [] : [`${what}: ${String(unpaid)}, beside a payment ${String(paid)}`]
  })
  expect(`\n${lines.join('\n')}\n`).toMatchInlineSnapshot(`
"
created, withheld: failed: payment.failed, beside a payment none
reserved, withheld: failed: payment.failed, beside a payment none
submitted, refused: failed: payment.failed, beside a payment none
submitted, confirmed: completed (merchant): checkout.completed, beside a payment checkout.completed
submitted, declined: failed: payment.failed, beside a payment none
pending, confirmed: completed (merchant): checkout.completed, beside a payment checkout.completed
pending, declined: failed: payment.failed, beside a payment none
completed, reversed: reversed (merchant): payment.reversed, beside a payment payment.reversed
failed, confirmed: completed (merchant): checkout.completed, beside a payment checkout.completed
expired, confirmed: completed (merchant): checkout.completed, beside a payment checkout.completed
matched (merchant): checkout.completed, beside a payment checkout.completed
"
`)
})

const standing = fc.record({
  status: fc.constantFrom(...intentStatuses),
  disposition: fc.constantFrom(...dispositions, 'placed' as const, 'refunded' as const, null),
})
const change: fc.Arbitrary<PaymentChange> = fc.record({
  before: fc.option(standing, { nil: undefined }),
  after: standing,
  isCheckoutPaid: fc.boolean(),
})

test('a change that leaves status and disposition as they were has no event', () => {
  fc.assert(
    fc.property(standing, fc.boolean(), (same, isCheckoutPaid) => {
      expect(paymentEventOf({ before: same, after: { ...same }, isCheckoutPaid })).toBeUndefined()
    }),
  )
})

test('a paid checkout has no payment.failed event', () => {
  fc.assert(
    fc.property(change, (any) => {
      expect(paymentEventOf({ ...any, isCheckoutPaid: true })).not.toBe('payment.failed')
    }),
  )
})

test('checkout.completed and payment.reversed are only about money that the merchant has received', () => {
  fc.assert(
    fc.property(change, (any) => {
      const event = paymentEventOf(any)
      if (event === undefined || event === 'payment.failed') return
      expect(any.after.disposition).toBe('merchant')
      expect(any.after.status).toBe(event === 'checkout.completed' ? 'completed' : 'reversed')
    }),
  )
})

/** Walks an intent along the machine, with a place for its money, and collects the events. */
const walk = fc.array(
  fc.record({
    event: fc.constantFrom(
      'submitted',
      'acknowledged',
      'refused',
      'withheld',
      'lapsed',
      'declined',
      'confirmed',
      'reversed',
    ),
    place: fc.constantFrom(...dispositions),
  }),
  { maxLength: 8 },
)

test('an intent has each event at most once, and payment.reversed only after checkout.completed', () => {
  fc.assert(
    fc.property(walk, fc.boolean(), (steps, isCheckoutPaid) => {
      let now: Standing = { status: 'reserved', disposition: null }
      const events: string[] = []
      for (const { event, place } of steps) {
        const status = intentMachine[now.status][event]
        if (status === null || status === now.status) continue
        const disposition = event === 'confirmed' ? place : now.disposition
        const after = { status, disposition }
        events.push(
          ...[paymentEventOf({ before: now, after, isCheckoutPaid })].flatMap((one) => one ?? []),
        )
        now = after
      }
      expect(new Set(events).size).toBe(events.length)
      if (events.includes('payment.reversed')) {
        expect(events.indexOf('payment.reversed')).toBeGreaterThan(
          events.indexOf('checkout.completed'),
        )
        expect(events).toContain('checkout.completed')
      }
    }),
  )
})

test('an intent without a checkout has no events', () => {
  fc.assert(
    fc.property(change, (any) => {
      const type = paymentEventOf(any)
      expect(noteEvent(null, any)).toBeUndefined()
      expect(noteEvent('cs_1', any)).toEqual(type && { type, checkoutId: 'cs_1' })
    }),
  )
})

test('the changes that are saved without writing events are no events by the rules', () => {
  const now = 1_000_000
  const overdue = { now, id: 'pi_1', deadlineAt: now, submittedAt: null, receiptWanted: false }
  const afters = (['created', 'reserved', 'submitted', 'pending'] as const).map((status) => ({
    before: { ...open, status },
    after: { ...open, status: decideExpiry({ ...overdue, status }, 15)?.status ?? status },
  }))
  const begun = [
    { before: undefined, after: { ...open, status: intentMachine.created.reserved } },
    {
      before: { ...open, status: 'reserved' as const },
      after: { ...open, status: intentMachine.reserved.submitted },
    },
  ]
  for (const one of [...afters, ...begun]) {
    for (const isCheckoutPaid of [false, true]) {
      expect(paymentEventOf({ ...one, isCheckoutPaid })).toBeUndefined()
    }
  }
})
