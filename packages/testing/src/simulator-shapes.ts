/** The parts of the simulator's control API that tests use. Amounts are text of minor units. */

export type Answer = 'approve' | 'cancel' | 'wrong_pin' | 'ignore' | 'no_funds'

export interface NewPhone {
  readonly msisdn: string
  readonly name?: string
  readonly balance?: string
  readonly policy?: { readonly answer: Answer | 'ask'; readonly after_ms?: number }
  readonly count?: number
}

export interface Phone {
  readonly msisdn: string
  readonly name: string
  readonly balance: string
  readonly prompt: {
    readonly id: string
    readonly amount: string
    readonly account: string
    readonly expires_in_ms: number
  } | null
}

/** What is typed in the Pay Bill menu. */
export interface Typed {
  readonly business_number: string
  readonly account_number: string
  readonly amount: string
  readonly pin?: string
}

export interface Facets {
  readonly msisdn?: string
  readonly amount?: string
  readonly business?: string
  readonly account?: string
}

interface Spoiled {
  readonly performed?: boolean
}

export type Effect =
  | { readonly kind: 'delay' | 'drip'; readonly ms: number }
  | ({ readonly kind: 'drop' | 'reset' | 'malformed' } & Spoiled)
  | ({ readonly kind: 'error'; readonly error: string } & Spoiled)
  | { readonly kind: 'limit'; readonly per_second: number }
  | { readonly kind: 'early' | 'reorder' | 'echo' | 'fails' | 'wrong_secret' }
  | { readonly kind: 'lie'; readonly code: string }
  | { readonly kind: 'answer'; readonly answer: Answer; readonly after_ms?: number }
  | { readonly kind: 'pay_bill'; readonly percent?: number; readonly after_ms?: number }
  | { readonly kind: 'duplicate'; readonly copies: number; readonly every_ms?: number }
  | { readonly kind: 'amount'; readonly amount: string }
  | { readonly kind: 'source'; readonly address: string }

export type Moment =
  | 'token'
  | 'push'
  | 'query'
  | 'register'
  | 'simulate'
  | 'qr'
  | 'pull'
  | 'session'
  | 'refund'
  | 'prompt'
  | 'payout'
  | 'challenge'
  | 'callback'

export interface NewRule {
  readonly on: Moment
  readonly when?: Facets
  readonly effect: Effect
  readonly probability?: number
  readonly skip?: number
  readonly times?: number
  readonly from_ms?: number
  readonly until_ms?: number
}

export interface Rule {
  readonly id: string
  readonly on: Moment
  readonly when: Facets
  readonly effect: Readonly<Record<string, unknown>>
  readonly probability: number
  readonly skip: number
  /** Null for a rule that applies any number of times. */
  readonly times: number | null
  readonly from_ms: number
  readonly until_ms: number | null
  readonly applied: number
}

export interface BookRow {
  readonly id: number
  readonly receipt: string
  readonly provider: string
  readonly kind: string
  readonly msisdn: string
  readonly account: string
  readonly amount: string
}

type Facts = Readonly<Record<string, string | number | boolean>>

export interface SimEvent {
  readonly id: number
  /** Real time, ISO 8601. */
  readonly at: string
  readonly kind: string
  readonly facts: Facts
}

export type EventKind =
  | 'push_accepted'
  | 'prompt_opened'
  | 'prompt_closed'
  | 'money_moved'
  | 'menu_refused'
  | 'rule_applied'
  | 'query_answered'
  | 'callback_delivered'
  | 'callback_dropped'

export interface Expectation {
  readonly kind: EventKind
  readonly facts?: Facts
  readonly since?: number
  readonly count?: number
  readonly within_ms?: number
}

export interface Expected {
  readonly met: boolean
  readonly events: readonly SimEvent[]
  readonly near: readonly SimEvent[]
}

export interface TimeChange {
  readonly jump_ms?: number
  readonly speed?: number
  readonly paused?: boolean
}

export interface Clock {
  readonly now: string
  readonly next_in_ms: number | null
  readonly next: string | null
}

export interface Meta {
  /** The name of the session that is asked. */
  readonly session: string
  readonly seed: string
  readonly packs: readonly { readonly name: string; readonly see: string }[]
  readonly last_event: number
}
