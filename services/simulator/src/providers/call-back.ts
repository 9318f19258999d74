import type { Minor } from '@malipo/kernel/money'
import type { EventFacts } from '../inspector/rules/event-log'
import type { Deliver, DeliverHow, Delivery } from './rules/rail'
import type { Effect, Facets } from '../faults/rules/rule'
import { applyRules, shownFacets, type World } from '../sessions/rules/world'
import { planOf, type Plan } from './rules/callback-plan'

export interface Callback {
  readonly url: string
  readonly facets: Facets & { readonly amountMinor: Minor }
  /** The provider's id of the request. */
  readonly reference: string
  readonly result: string
  readonly how?: DeliverHow
  /** For the effect `wrong_secret`: how an attacker who does not know the secret would send the callback. */
  readonly forgedHow?: DeliverHow
  /** Virtual milliseconds until the next try after `failures` failed ones; undefined gives up. Absent: one try. */
  readonly retryAfterMs?: (failures: number) => number | undefined
  /** No rule can change the amount in the body: the effect `amount` passes over this callback. */
  readonly isAmountFixed?: true
  body(amountMinor: Minor): string
  /** For the effect `echo`: confirms the payment as a Pay Bill payment too. */
  readonly echo?: () => void
  /** Called once, when the first copy was delivered, failed or was dropped. */
  settled(): void
}

/** Delivers a callback once and at once, unless rules change that. */
export function callBack(world: World, deliver: Deliver, callback: Callback): void {
  const applied = applyRules(world, 'callback', callback.facets, (effect) =>
    canBe(callback, effect),
  )
  const plan = planOf(applied, callback.facets.amountMinor)
  if (plan.echoed) callback.echo?.()
  if (plan.dropped) {
    world.events.append('callback_dropped', factsOf(callback))
    callback.settled()
    return
  }
  const go = (afterwards?: () => void) => {
    sendCopies({ world, deliver, callback, plan, afterwards })
  }
  if (plan.reorderedBy === undefined) go()
  else passOrWait(world, plan.reorderedBy, go)
}

/** Whether an effect fits the callback: `echo`, `wrong_secret` and `amount` fit only those of some providers. */
function canBe({ echo, forgedHow, isAmountFixed }: Callback, { kind }: Effect): boolean {
  if (kind === 'echo') return echo !== undefined
  if (kind === 'wrong_secret') return forgedHow !== undefined
  return kind !== 'amount' || isAmountFixed !== true
}

/** A reordered callback is sent after this time if no other callback comes first. */
export const waitsForNextMs = 10_000

/** Delays a reordered callback until the next one of the same rule has been sent. */
function passOrWait(world: World, rule: string, go: (afterwards?: () => void) => void): void {
  const first = world.held.get(rule)
  if (first !== undefined) {
    world.held.delete(rule)
    go(first)
    return
  }
  const leave = () => {
    timer.cancel()
    go()
  }
  const timer = world.time.after(
    waitsForNextMs,
    () => {
      world.held.delete(rule)
      go()
    },
    'a reordered callback without a next one',
  )
  world.held.set(rule, leave)
}

function factsOf({ facets, reference, result }: Callback): EventFacts {
  return { ...shownFacets(facets), reference, result }
}

interface Sending {
  readonly world: World
  readonly deliver: Deliver
  readonly callback: Callback
  readonly plan: Plan
  readonly afterwards: (() => void) | undefined
}

function sendCopies(sending: Sending): void {
  const { world, plan } = sending
  for (let copy = 1; copy <= plan.copies; copy += 1) {
    const afterMs = plan.delayMs + (copy - 1) * plan.everyMs
    if (afterMs === 0) void send(sending, copy)
    else world.time.after(afterMs, () => void send(sending, copy), 'a callback')
  }
}

async function send(sending: Sending, copy: number, failures = 0): Promise<void> {
  const { world, deliver, callback, plan, afterwards } = sending
  const how = howOf(sending)
  const body = bodyOf(callback, plan)
  const delivery = await deliver(callback.url, body, how)
  recordDelivery(
    world,
    callback.url,
    { body, how, delivery },
    {
      ...factsOf(callback),
      copy,
      ...(failures > 0 && { retry: failures }),
    },
  )
  if (copy === 1 && failures === 0) {
    callback.settled()
    afterwards?.()
  }
  const againMs = isTaken(delivery) ? undefined : callback.retryAfterMs?.(failures + 1)
  if (againMs !== undefined) {
    world.time.after(againMs, () => void send(sending, copy, failures + 1), 'a callback once more')
  }
}

function howOf({ world, callback, plan }: Sending): DeliverHow {
  return {
    ...(plan.forged ? callback.forgedHow : callback.how),
    ...plan.how,
    ...(plan.dripMs > 0 && { drip: { ms: plan.dripMs, time: world.time } }),
  }
}

function bodyOf(callback: Callback, plan: Plan): string {
  const body = callback.body(plan.amountMinor)
  return plan.malformed ? cutOff(body) : body
}

/** The first half of a body, which is no valid JSON. */
export function cutOff(body: string): string {
  return body.slice(0, Math.floor(body.length / 2))
}

export interface Delivered {
  readonly body: string
  readonly how: DeliverHow
  readonly delivery: Delivery
}

/** Records the request and the receiver's response. Returns the id of the event. */
export function recordDelivery(
  world: World,
  url: string,
  { body, how, delivery }: Delivered,
  facts: EventFacts,
): number {
  const exchange = {
    direction: 'out',
    method: how.method ?? 'POST',
    target: url,
    headers: { ...how.headers, 'content-type': 'application/json' },
    body,
    how,
  } as const
  const reported = { ...facts, took_ms: delivery.tookMs }
  return delivery.kind === 'answered'
    ? world.events.append(
        'callback_delivered',
        { ...reported, status: delivery.status },
        { ...exchange, answer: { status: delivery.status, body: delivery.text } },
      )
    : world.events.append(
        'callback_failed',
        { ...reported, reason: delivery.reason },
        { ...exchange, answer: undefined },
      )
}

function isTaken(delivery: Delivery): boolean {
  return delivery.kind === 'answered' && delivery.status >= 200 && delivery.status < 300
}
