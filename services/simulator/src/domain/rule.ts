import type { Minor } from '@malipo/kernel/money'
import { draw } from './draw'
import type { Answer } from './phone'

/** Where in a payment a rule can step in: a call of ours to the provider, the prompt on the phone, the callback. */
export const moments = [
  'token',
  'push',
  'query',
  'register',
  'simulate',
  'pull',
  'session',
  'refund',
  'prompt',
  'challenge',
  'callback',
] as const
export type Moment = (typeof moments)[number]

/** What goes otherwise than it should. `ms` is virtual time. */
export type Effect =
  /** The answer or the callback comes later. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** No answer, ever; or no callback. `performed`: whether the call was carried out all the same. */
  | { readonly kind: 'drop'; readonly performed: boolean }
  /** The connection is reset instead of an answer. */
  | { readonly kind: 'reset'; readonly performed: boolean }
  /** The body is cut off in the middle. */
  | { readonly kind: 'malformed'; readonly performed: boolean }
  /** One of the rail's own errors, by its name. */
  | { readonly kind: 'error'; readonly error: string; readonly performed: boolean }
  /** The rail's throttling error above so many calls in a virtual second. */
  | { readonly kind: 'limit'; readonly perSecond: number }
  /** The answer to a push waits until its callback has been delivered. */
  | { readonly kind: 'early' }
  /** A status query that does not tell the truth: a result code of the provider, as it writes it. */
  | { readonly kind: 'lie'; readonly code: string }
  /** What the owner of the phone does, this once instead of the phone's policy. */
  | { readonly kind: 'answer'; readonly answer: Answer; readonly afterMs: number }
  /** So many callbacks in all, one every so often. */
  | { readonly kind: 'duplicate'; readonly copies: number; readonly everyMs: number }
  /** The payment of a prompt is confirmed as a Pay Bill payment too (Daraja). */
  | { readonly kind: 'echo' }
  /** The callback has another secret in its header than was agreed (card). */
  | { readonly kind: 'wrong_secret' }
  /** 3-D Secure fails, whatever the customer answers (card). */
  | { readonly kind: 'fails' }
  /** The callback names another amount than was moved. */
  | { readonly kind: 'amount'; readonly amountMinor: Minor }
  /** The callback waits until the next one that the rule matches has been delivered, and goes alone if none comes. */
  | { readonly kind: 'reorder' }
  /** The callback comes from another address than the provider's. */
  | { readonly kind: 'source'; readonly address: string }
  /** The body takes so long, a little at a time. */
  | { readonly kind: 'drip'; readonly ms: number }
  /** The owner pays from the menu too, so much of the amount, so long after the prompt (Daraja). */
  | { readonly kind: 'pay_bill'; readonly percent: number; readonly afterMs: number }

const call = ['delay', 'drip', 'drop', 'reset', 'malformed', 'error', 'limit'] as const

/** Which effects make sense at which moment. */
export const effectsAt: Readonly<Record<Moment, readonly Effect['kind'][]>> = {
  token: call,
  push: [...call, 'early'],
  query: [...call, 'lie'],
  register: call,
  simulate: call,
  pull: call,
  session: call,
  refund: call,
  prompt: ['answer', 'pay_bill'],
  challenge: ['fails'],
  callback: [
    'delay',
    'drip',
    'drop',
    'duplicate',
    'reorder',
    'malformed',
    'amount',
    'echo',
    'source',
    'wrong_secret',
  ],
}

/** What a rule can match; all named values must be equal. The reference is only shown in events. */
export interface Facets {
  readonly reference?: string | undefined
  readonly msisdn?: string | undefined
  readonly amountMinor?: Minor | undefined
  readonly business?: string | undefined
  readonly account?: string | undefined
}

export interface NewRule {
  readonly on: Moment
  readonly when: Facets
  readonly effect: Effect
  /** 0 to 1, drawn from the seed for every match. */
  readonly probability: number
  /** So many matches pass before it begins. */
  readonly skip: number
  /** So many times it applies; Infinity without end. */
  readonly times: number
  /** The window of virtual time in which it lives, counted from when it was made. */
  readonly fromMs: number
  readonly untilMs: number
  /** The pack that brought it. */
  readonly pack?: string | undefined
}

export interface Rule extends NewRule {
  readonly id: string
  readonly madeAtMs: number
  matched: number
  applied: number
  /** For `limit`: the current virtual second and the calls in it. */
  second: { readonly index: number; readonly calls: number }
}

export function newRule(id: string, rule: NewRule, nowMs: number): Rule {
  return { ...rule, id, madeAtMs: nowMs, matched: 0, applied: 0, second: { index: 0, calls: 0 } }
}

/** Counts the match, and returns what the rule does with it. */
export function applyRule(rule: Rule, seed: string, nowMs: number): Effect | undefined {
  rule.matched += 1
  if (rule.matched <= rule.skip || rule.applied >= rule.times) return undefined
  const label = `rule ${rule.id} ${String(rule.matched)}`
  if (rule.probability < 1 && draw(seed, label) >= rule.probability) return undefined
  if (rule.effect.kind === 'limit' && !isAboveLimit(rule, rule.effect.perSecond, nowMs))
    return undefined
  rule.applied += 1
  return rule.effect
}

export function matches(rule: Rule, facets: Facets, nowMs: number): boolean {
  const ageMs = nowMs - rule.madeAtMs
  const { msisdn, amountMinor, business, account } = rule.when
  return (
    ageMs >= rule.fromMs &&
    ageMs < rule.untilMs &&
    (msisdn === undefined || msisdn === facets.msisdn) &&
    (amountMinor === undefined || amountMinor === facets.amountMinor) &&
    (business === undefined || business === facets.business) &&
    (account === undefined || account === facets.account)
  )
}

function isAboveLimit(rule: Rule, perSecond: number, nowMs: number): boolean {
  const index = Math.floor((nowMs - rule.madeAtMs) / 1_000)
  const calls = index === rule.second.index ? rule.second.calls + 1 : 1
  rule.second = { index, calls }
  return calls > perSecond
}
