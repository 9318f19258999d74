import type { Minor } from '@malipo/kernel/money'
import type { Timer } from './clock'

/** A virtual phone, and what its owner does when it is asked for money. */
export interface Phone {
  /** Digits with the country code. */
  readonly msisdn: string
  name: string
  network: Network
  pin: string
  balanceMinor: Minor
  simState: SimState
  policy: Policy
  /** The request for money that holds the phone, shown or not: while it lasts, no other gets through. */
  prompt: Prompt | undefined
  /** The newest first. */
  sms: readonly Sms[]
}

/** The data with which a phone is registered. */
export interface NewPhone {
  readonly msisdn: string
  readonly name: string
  readonly pin: string
  readonly balanceMinor: bigint
  readonly network: Network
  readonly simState: SimState
  readonly policy: Policy
}

export const networks = ['safaricom', 'mtn', 'airtel'] as const
export type Network = (typeof networks)[number]

/** Whose a number is by its prefix, as long as its owner has not taken it along. */
export function networkOf(msisdn: string): Network {
  if (/^2567[678]/.test(msisdn)) return 'mtn'
  return /^2567[045]/.test(msisdn) ? 'airtel' : 'safaricom'
}

export const simStates = [
  'on',
  'off',
  'no_signal',
  'old_sim',
  'not_registered',
  'locked',
  'daily_limit',
] as const
export type SimState = (typeof simStates)[number]

/** What a person can do with a prompt; `no_funds` is a payer who agrees with nothing in the account. */
export const answers = ['approve', 'cancel', 'wrong_pin', 'ignore', 'no_funds'] as const
export type Answer = (typeof answers)[number]

/** What the phone does by itself: `ask` waits for a person. */
export interface Policy {
  readonly answer: Answer | 'ask'
  /** Virtual milliseconds between the prompt and the answer. */
  readonly afterMs: number
}

export interface Prompt {
  readonly id: string
  readonly asked: Asked
  /** Virtual. */
  readonly expiresAtMs: number
  /** How long it rings in all. */
  readonly lastsMs: number
  /** False on a phone that the network cannot reach. */
  readonly shown: boolean
  /** The owner ignores the prompt, so it rings until it expires. */
  ignored: boolean
  readonly timers: readonly Timer[]
}

/** What a rail asks of a phone. */
export interface Asked {
  readonly rail: string
  readonly business: string
  readonly businessName: string
  /** What the payer is shown as the account. */
  readonly account: string
  readonly amountMinor: Minor
  /** How long it rings, if the provider sets that. */
  readonly ringMs?: number
  /** Pays the same business and account from the menu of the phone, where the network has one. */
  readonly payFromMenu?: (amountMinor: Minor) => void
  /** Called once. The rail has the last word: it moves the money, or refuses by a rule of its own. */
  concluded(outcome: Outcome): void
}

/** How the payer's side of a request for money ended. */
export type Outcome =
  /** The right PIN on a phone that can pay. */
  | 'agreed'
  | 'wrong_pin'
  | 'pin_locked'
  | 'over_daily_limit'
  | 'no_funds'
  | 'cancelled'
  | 'no_answer'
  | 'unreachable'

export interface Sms {
  /** Real time. */
  readonly atMs: number
  readonly from: string
  readonly text: string
}

/** How long a network searches for a phone that does not show the prompt; undefined if the phone shows it. Guesses. */
export const searchMs: Readonly<Record<SimState, number | undefined>> = {
  on: undefined,
  locked: undefined,
  daily_limit: undefined,
  not_registered: undefined,
  off: 20_000,
  no_signal: 20_000,
  // The prompt arrives, and the card cannot show it.
  old_sim: 5_000,
}

/** What comes of an answer other than `ignore`. A PIN that is given counts; none given means the right one. */
export function outcomeOf(
  phone: Pick<Phone, 'pin' | 'simState' | 'balanceMinor'>,
  answer: Exclude<Answer, 'ignore'>,
  amountMinor: Minor,
  pin = phone.pin,
): Outcome {
  if (answer === 'cancel') return 'cancelled'
  // A locked PIN is refused before it is compared.
  if (phone.simState === 'locked') return 'pin_locked'
  if (answer === 'wrong_pin' || pin !== phone.pin) return 'wrong_pin'
  if (phone.simState === 'daily_limit') return 'over_daily_limit'
  if (answer === 'no_funds' || phone.balanceMinor < amountMinor) return 'no_funds'
  return 'agreed'
}

/** An inbox is short, as on a cheap phone: a load test has twenty thousand of them. */
const inboxMax = 5

export function receiveSms(phone: Phone, sms: Sms): void {
  phone.sms = [sms, ...phone.sms].slice(0, inboxMax)
}
