import type { AttemptView, CheckoutView, TimelineView } from '@malipo/interface/hub'
import { asksByPage } from '@malipo/kernel/rail-abilities'
import { showMoney, showRail } from '../show'
import { causeText } from './cause-text'
import { beingChecked } from './last-try'

export interface TimelineEvent {
  readonly at: string
  readonly what: string
  readonly detail?: string
  readonly kind: 'good' | 'bad' | 'warn' | 'calm'
}

/** The events of a checkout, the oldest first. */
export function eventsOf(view: TimelineView, now: string): TimelineEvent[] {
  const { checkout, attempts } = view
  const { created_at: createdAt, expires_at: expiresAt, reported_at: reportedAt } = checkout
  const events: TimelineEvent[] = [
    { at: createdAt, what: 'Checkout created', kind: 'calm' },
    ...attempts.flatMap((attempt) => attemptEvents(attempt, checkout)),
    ...(reportedAt == null
      ? []
      : [
          { at: reportedAt, what: 'Reported as paid', detail: beingChecked, kind: 'warn' } as const,
        ]),
    ...(expiresAt < now && (checkout.completed_at ?? now) > expiresAt
      ? [{ at: expiresAt, what: 'Time passed', kind: 'warn' } as const]
      : []),
  ]
  return events.sort((one, other) => one.at.localeCompare(other.at))
}

function attemptEvents(attempt: AttemptView, checkout: CheckoutView): TimelineEvent[] {
  const why = causeText(attempt, checkout.found_unpaid)
  const named: Readonly<Record<string, Omit<TimelineEvent, 'at'>>> = {
    created: startedEvent(attempt),
    pending: promptEvent(attempt),
    completed: paidEvent(attempt, checkout.currency),
    failed: { ...refusedEvent(attempt, checkout), detail: why },
    expired: { what: 'Stopped waiting', detail: why, kind: 'warn' },
    reversed: givenBackEvent(attempt),
  }
  const steps = attempt.steps.flatMap(({ status, at }) => {
    const event = named[status]
    return event === undefined ? [] : [{ at, ...event }]
  })
  return [...steps, ...freezingEvents(attempt)]
}

function freezingEvents(attempt: AttemptView): TimelineEvent[] {
  const { frozen_at: frozenAt, returned_at: returnedAt } = attempt
  const held = `${provider}'s statement does not show it. Do not deliver for this payment yet.`
  const returned = 'The payment that was frozen is confirmed. You can deliver.'
  return [
    ...(frozenAt === null
      ? []
      : [{ at: frozenAt, what: 'Money held', detail: held, kind: 'warn' } as const]),
    ...(returnedAt === null
      ? []
      : ([
          { at: returnedAt, what: 'Money back in your wallet', detail: returned, kind: 'good' },
        ] as const)),
  ]
}

/** Only M-PESA payments, the Pay Bill menu included, are ever frozen. */
const provider = showRail('mpesa')

function givenBackEvent(attempt: AttemptView): Omit<TimelineEvent, 'at'> {
  const { frozen_at: frozenAt, returned_at: returnedAt } = attempt
  if (frozenAt === null || returnedAt !== null) return { what: 'Money given back', kind: 'warn' }
  const detail = `Two of our operators checked with ${provider}, and this payment was not made or was not for you.`
  return { what: 'Taken back for good', detail, kind: 'bad' }
}

/** A refusal is final only while no report says that the payer has paid. */
function refusedEvent(
  { status, rail, cause }: AttemptView,
  { reported_at: reportedAt }: CheckoutView,
): Omit<TimelineEvent, 'at'> {
  const isPaidAfterAll = status === 'completed' || status === 'reversed'
  if (isPaidAfterAll || reportedAt != null) return { what: 'Reported as not paid', kind: 'warn' }
  // Answers to status queries of prompts have been wrong, and the view does not show whether this refusal is one.
  return asksByPage(rail) || cause === 'not_started'
    ? { what: 'No money taken', kind: 'bad' }
    : { what: `${showRail(rail)} says that no money was taken`, kind: 'bad' }
}

function startedEvent({ rail, phone }: AttemptView): Omit<TimelineEvent, 'at'> {
  const started = { what: `${showRail(rail)} payment started`, kind: 'calm' } as const
  return phone === null ? started : { ...started, detail: `Phone ${phone}` }
}

function promptEvent({ rail }: AttemptView): Omit<TimelineEvent, 'at'> {
  return asksByPage(rail)
    ? { what: 'Card page opened', detail: 'The payer can enter the card', kind: 'calm' }
    : { what: 'Prompt sent', detail: `${showRail(rail)} has asked the payer`, kind: 'calm' }
}

function paidEvent(attempt: AttemptView, currency: string): Omit<TimelineEvent, 'at'> {
  const { amount_settled: settled, provider_receipt: receipt, held_because: held } = attempt
  const money = settled === null ? '' : showMoney(settled, currency)
  const detail = `${money}, receipt ${receipt ?? 'missing'}`
  // Refunded money may never have been in the wallet, as it may have been held until the refund.
  if (attempt.status === 'reversed') return { what: 'Paid', detail, kind: 'calm' }
  // Frozen money was in the wallet first. The freeze is an event of the timeline beside this one.
  if (held === null || attempt.frozen_at !== null)
    return { what: 'Paid into your wallet', detail, kind: 'good' }
  return { what: 'Money held', detail: `${detail}: ${reasons[held] ?? held}`, kind: 'warn' }
}

const reasons: Readonly<Record<string, string>> = {
  duplicate: 'the checkout was paid already',
  mismatch: 'the amount differs from that of the checkout',
  unmatched: 'your wallet could not take it',
}
