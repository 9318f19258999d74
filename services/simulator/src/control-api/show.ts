import type { z } from 'zod'
import type { BookRow } from '../book/rules/book'
import type { SimEvent, Exchange } from '../inspector/rules/event-log'
import type { Phone, Prompt } from '../phones/rules/phone'
import type { Effect, Rule } from '../faults/rules/rule'
import type { Snapshot } from '../snapshots/rules/snapshot'
import { shownFacets, shownMinor } from '../sessions/rules/world'
import type { Simulation } from '../sessions/simulation-host'
import { asCurl, masked } from '../inspector/mask'
import type {
  shownBookRow,
  shownClock,
  shownEvent,
  shownEventWhole,
  shownExchange,
  shownPhone,
  shownRule,
  shownSnapshot,
} from './shapes'

/** Maps the simulator's state to the JSON of the control API, one function per type. */

export function showPhone(phone: Phone, virtualNowMs: number): z.output<typeof shownPhone> {
  return {
    msisdn: phone.msisdn,
    name: phone.name,
    network: phone.network,
    pin: phone.pin,
    balance: shownMinor(phone.balanceMinor),
    sim_state: phone.simState,
    policy: { answer: phone.policy.answer, after_ms: phone.policy.afterMs },
    prompt: isVisible(phone.prompt) ? showPrompt(phone.prompt, virtualNowMs) : null,
    sms: phone.sms.map(({ atMs, from, text }) => ({ at: isoTime(atMs), from, text })),
  }
}

function isVisible(prompt: Prompt | undefined): prompt is Prompt {
  return prompt?.shown === true && !prompt.ignored
}

function showPrompt({ id, request, expiresAtMs }: Prompt, virtualNowMs: number) {
  return {
    id,
    amount: shownMinor(request.amountMinor),
    business: request.business,
    business_name: request.businessName,
    account: request.account,
    expires_at: isoTime(expiresAtMs),
    expires_in_ms: Math.max(0, Math.round(expiresAtMs - virtualNowMs)),
  }
}

export function showRule(rule: Rule): z.output<typeof shownRule> {
  return {
    id: rule.id,
    on: rule.on,
    when: { ...shownFacets(rule.when) },
    effect: showEffect(rule.effect),
    probability: rule.probability,
    skip: rule.skip,
    times: orNull(rule.times),
    from_ms: rule.fromMs,
    until_ms: orNull(rule.untilMs),
    pack: rule.pack ?? null,
    matched: rule.matched,
    applied: rule.applied,
  }
}

/** The API's names for parts of an effect, where they differ from ours. */
const effectWords: Readonly<Record<string, string>> = {
  perSecond: 'per_second',
  afterMs: 'after_ms',
  everyMs: 'every_ms',
  amountMinor: 'amount',
}

/** The rule's fields as they are given in a request. */
function showEffect(effect: Effect): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(effect).map(([name, value]: [string, unknown]) => [
      effectWords[name] ?? name,
      typeof value === 'bigint' ? shownMinor(value) : value,
    ]),
  )
}

/** JSON has no infinity. */
function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null
}

export function showBookRow(row: BookRow): z.output<typeof shownBookRow> {
  const { amountMinor, atMs, ...others } = row
  return { ...others, amount: shownMinor(amountMinor), at: isoTime(atMs) }
}

/** Leaves the HTTP exchange out, which is large and has secrets: only `showEventWhole` shows it, masked. */
export function showEvent({ id, at, kind, facts }: SimEvent): z.output<typeof shownEvent> {
  return { id, at, kind, facts }
}

/** Secrets in the HTTP exchange are masked. */
export function showEventWhole(event: SimEvent): z.output<typeof shownEventWhole> {
  return { ...showEvent(event), exchange: event.exchange ? showExchange(event.exchange) : null }
}

function showExchange(exchange: Exchange): z.output<typeof shownExchange> {
  const { answer, ...shown } = masked(exchange)
  return { ...shown, answer: answer ?? null, curl: asCurl({ ...shown, answer }) }
}

export function showSnapshot(snapshot: Snapshot): z.output<typeof shownSnapshot> {
  const { id, name, takenAtMs, phones, rules } = snapshot
  return { id, name, taken_at: isoTime(takenAtMs), phones: phones.length, rules: rules.length }
}

export function showClock({ clock, world }: Simulation): z.output<typeof shownClock> {
  const { nowMs, speed, paused, nextInMs, next, waiting } = clock.read()
  return {
    now: isoTime(nowMs),
    real: isoTime(world.wallNow()),
    paused,
    speed,
    next_in_ms: nextInMs === null ? null : Math.round(nextInMs),
    next,
    waiting,
  }
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
