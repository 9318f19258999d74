import type { Minor } from '@malipo/kernel/money'
import { draw } from '../../sessions/rules/draw'
import type { Answer } from '../../phones/rules/phone'

/** The moments at which a rule can intervene: a call of a client, the prompt on the phone, 3-D Secure, the callback. */
export const moments = [
  'token',
  'push',
  'query',
  'register',
  'simulate',
  'qr',
  'pull',
  'session',
  'refund',
  'payout',
  'prompt',
  'challenge',
  'callback',
] as const
export type Moment = (typeof moments)[number]

/** The faults to inject. `ms` is virtual time. */
export type Effect =
  /** Delays the answer or the callback. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Never sends the answer or the callback. `performed`: whether the call is still carried out. */
  | { readonly kind: 'drop'; readonly performed: boolean }
  /** Resets the connection instead of answering. */
  | { readonly kind: 'reset'; readonly performed: boolean }
  /** Truncates the body. */
  | { readonly kind: 'malformed'; readonly performed: boolean }
  /** Returns one of the rail's own errors, by name. */
  | { readonly kind: 'error'; readonly error: string; readonly performed: boolean }
  /** Returns the rail's throttling error above this many calls in a virtual second. */
  | { readonly kind: 'limit'; readonly perSecond: number }
  /** Delays the answer to a push until the callback of the push has been delivered. */
  | { readonly kind: 'early' }
  /**
   * Answers a status query falsely, with this result code of the provider. An order of a Daraja short code, and a
   * change of a card's order, end with this code and are not carried out. With `queue_timeout` an order of Daraja ends
   * by a call to its QueueTimeOutURL. Other refunds and payouts take no false code, so the rule passes over them.
   * The codes for a statement are in `src/providers/mpesa/query-pull.ts`.
   */
  | { readonly kind: 'lie'; readonly code: string }
  /** Answers the prompt in place of the phone's policy. */
  | { readonly kind: 'answer'; readonly answer: Answer; readonly afterMs: number }
  /** Sends the callback several times, at this interval. */
  | { readonly kind: 'duplicate'; readonly copies: number; readonly everyMs: number }
  /** Confirms the payment of a prompt as a Pay Bill payment too (Daraja). */
  | { readonly kind: 'echo' }
  /** Sends the callback with a wrong secret in its header (card). */
  | { readonly kind: 'wrong_secret' }
  /** Fails 3-D Secure, whatever the customer answers (card). */
  | { readonly kind: 'fails' }
  /** Puts another amount in the callback than was paid; the results of Daraja's orders keep theirs. */
  | { readonly kind: 'amount'; readonly amountMinor: Minor }
  /** Sends the callback after the next one that the rule matches, or after ten seconds if none comes. */
  | { readonly kind: 'reorder' }
  /** Sends the callback from another address than the provider's. */
  | { readonly kind: 'source'; readonly address: string }
  /** Sends the body slowly, in parts over this time. */
  | { readonly kind: 'drip'; readonly ms: number }
  /** Lets the owner also pay this percentage of the amount from the menu, some time after the prompt (Daraja). */
  | { readonly kind: 'pay_bill'; readonly percent: number; readonly afterMs: number }

const call = ['delay', 'drip', 'drop', 'reset', 'malformed', 'error', 'limit'] as const

export const effectsAt: Readonly<Record<Moment, readonly Effect['kind'][]>> = {
  token: call,
  push: [...call, 'early'],
  query: [...call, 'lie'],
  register: call,
  simulate: call,
  qr: call,
  pull: [...call, 'lie'],
  session: call,
  refund: [...call, 'lie'],
  payout: [...call, 'lie'],
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

/**
 * What tells one payment from another, in a call, a prompt or a callback. A rule matches when all the facets that it
 * gives are equal; `reference` is never compared.
 */
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
  /** From 0 to 1, drawn from the seed for every match. */
  readonly probability: number
  /** Skips this many matches first. */
  readonly skip: number
  /** Applies this many times at most; Infinity for no limit. */
  readonly times: number
  /** The window of virtual time in which the rule is active, counted from its creation. */
  readonly fromMs: number
  readonly untilMs: number
  /** The scenario that created the rule; undefined for a rule made by hand. */
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

/** Counts a match, and returns the rule's effect, if any. */
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
