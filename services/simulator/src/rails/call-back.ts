import type { Minor } from '@malipo/kernel/money'
import type { Deliver, DeliverHow, Delivery } from '../domain/rail'
import type { AppliedRule } from '../domain/rules'
import type { Facets } from '../domain/rule'
import { applyRules, shownFacets, type World } from '../domain/world'

/** A callback that a rail wants delivered. */
export interface Callback {
  readonly url: string
  readonly facets: Facets & { readonly amountMinor: Minor }
  /** The provider's id of the request. */
  readonly reference: string
  readonly result: string
  readonly how?: DeliverHow
  /** Virtual milliseconds until the next try after so many that failed; undefined gives up. Absent: one try. */
  readonly retryAfterMs?: (failures: number) => number | undefined
  body(amountMinor: Minor): string
  /** Tells the same payment on another of the provider's ways. */
  readonly echo?: () => void
  /** Called once, after the first copy has found its end. */
  settled(): void
}

/** Delivers a callback once, at once, as documented; or as the rules will have it. */
export function callBack(world: World, deliver: Deliver, callback: Callback): void {
  const plan = planOf(applyRules(world, 'callback', callback.facets), callback)
  const facts = {
    ...shownFacets(callback.facets),
    reference: callback.reference,
    result: callback.result,
  }
  if (plan.echoed) callback.echo?.()
  if (plan.dropped) {
    world.events.append('callback_dropped', facts)
    callback.settled()
    return
  }
  const send = async (copy: number, failures = 0) => {
    const delivery = await deliver(callback.url, plan.body, callback.how)
    const took = { copy, took_ms: delivery.tookMs, ...(failures > 0 && { retry: failures }) }
    if (delivery.kind === 'answered') {
      world.events.append('callback_delivered', { ...facts, ...took, status: delivery.status })
    } else {
      world.events.append('callback_failed', { ...facts, ...took, reason: delivery.reason })
    }
    if (copy === 1 && failures === 0) callback.settled()
    const againMs = isTaken(delivery) ? undefined : callback.retryAfterMs?.(failures + 1)
    if (againMs !== undefined) world.time.after(againMs, () => void send(copy, failures + 1))
  }
  for (let copy = 1; copy <= plan.copies; copy += 1) {
    const afterMs = plan.delayMs + (copy - 1) * plan.everyMs
    if (afterMs === 0) void send(copy)
    else world.time.after(afterMs, () => void send(copy))
  }
}

function isTaken(delivery: Delivery): boolean {
  return delivery.kind === 'answered' && delivery.status >= 200 && delivery.status < 300
}

interface Plan {
  readonly dropped: boolean
  readonly echoed: boolean
  readonly delayMs: number
  readonly copies: number
  readonly everyMs: number
  readonly body: string
}

function planOf(applied: readonly AppliedRule[], callback: Callback): Plan {
  const plan = {
    dropped: false,
    echoed: false,
    delayMs: 0,
    copies: 1,
    everyMs: 0,
    malformed: false,
  }
  let { amountMinor } = callback.facets
  for (const { effect } of applied) {
    if (effect.kind === 'drop') plan.dropped = true
    if (effect.kind === 'malformed') plan.malformed = true
    if (effect.kind === 'echo') plan.echoed = true
    if (effect.kind === 'delay') plan.delayMs += effect.ms
    if (effect.kind === 'amount') amountMinor = effect.amountMinor
    if (effect.kind === 'duplicate') {
      plan.copies = effect.copies
      plan.everyMs = effect.everyMs
    }
  }
  const body = callback.body(amountMinor)
  return { ...plan, body: plan.malformed ? cutOff(body) : body }
}

/** Half of a body is no JSON, whatever it was. */
export function cutOff(body: string): string {
  return body.slice(0, Math.floor(body.length / 2))
}
