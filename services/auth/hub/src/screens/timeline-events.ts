import type { AttemptView, CheckoutView, TimelineView } from '@malipo/interface/hub'
import { showMoney, showRail } from '../show'
import { causeText } from './cause-text'
import { beingChecked } from './last-try'

export interface TimelineEvent {
  readonly at: string
  readonly what: string
  readonly detail?: string
  readonly kind: 'good' | 'bad' | 'warn' | 'calm'
}

/** Everything that happened to a checkout, in its order. */
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
    pending: askedEvent(attempt),
    completed: paidEvent(attempt, checkout.currency),
    failed: { what: 'No money taken', detail: why, kind: 'bad' },
    expired: { what: 'Stopped waiting', detail: why, kind: 'warn' },
    reversed: { what: 'Money given back', kind: 'warn' },
  }
  return attempt.steps.flatMap(({ status, at }) => {
    const event = named[status]
    return event === undefined ? [] : [{ at, ...event }]
  })
}

function startedEvent({ rail, phone }: AttemptView): Omit<TimelineEvent, 'at'> {
  const started = { what: `${showRail(rail)} payment started`, kind: 'calm' } as const
  return phone === null ? started : { ...started, detail: `Phone ${phone}` }
}

function askedEvent({ rail }: AttemptView): Omit<TimelineEvent, 'at'> {
  return rail === 'card'
    ? { what: 'Card page opened', detail: 'The payer can enter the card', kind: 'calm' }
    : { what: 'Prompt sent', detail: `${showRail(rail)} has asked the payer`, kind: 'calm' }
}

function paidEvent(attempt: AttemptView, currency: string): Omit<TimelineEvent, 'at'> {
  const { amount_settled: settled, provider_receipt: receipt, held_because: held } = attempt
  const money = settled === null ? '' : showMoney(settled, currency)
  const detail = `${money}, receipt ${receipt ?? 'missing'}`
  // What has been given back may have been held before: then it was never in the wallet.
  if (attempt.status === 'reversed') return { what: 'Paid', detail, kind: 'calm' }
  if (held === null) return { what: 'Paid into your wallet', detail, kind: 'good' }
  return { what: 'Money held', detail: `${detail}: ${reasons[held] ?? held}`, kind: 'warn' }
}

const reasons: Readonly<Record<string, string>> = {
  duplicate: 'the checkout was paid already',
  mismatch: 'the amount is another',
  unmatched: 'your wallet could not take it',
}
