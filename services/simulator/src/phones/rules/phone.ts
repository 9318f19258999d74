import type { Minor } from '@malipo/kernel/money'
import type { Timer } from '../../clock/rules/clock'

/** A virtual phone, and its owner's behaviour. */
export interface Phone {
  /** Digits with the country code. */
  readonly msisdn: string
  name: string
  network: Network
  pin: string
  balanceMinor: Minor
  simState: SimState
  policy: Policy
  /** The request that occupies the phone, shown or not: while there is one, no other prompt gets through. */
  prompt: Prompt | undefined
  /** The newest first. */
  sms: readonly Sms[]
}

export type NewPhone = Readonly<Omit<Phone, 'prompt' | 'sms'>>

export const networks = ['safaricom', 'mtn', 'airtel'] as const
export type Network = (typeof networks)[number]

/** The network of a number by its prefix, unless its owner has moved it. */
export function networkOf(msisdn: string): Network {
  if (/^2567[678]/.test(msisdn)) return 'mtn'
  return /^(?:2567[045]|254(?:10|73|75[0-6]|78))/.test(msisdn) ? 'airtel' : 'safaricom'
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

/** The possible answers to a prompt; `no_funds` approves with an empty account. */
export const answers = ['approve', 'cancel', 'wrong_pin', 'ignore', 'no_funds'] as const
export type Answer = (typeof answers)[number]

/** What the phone does with a prompt; `ask` leaves it to a person. */
export interface Policy {
  readonly answer: Answer | 'ask'
  /** Virtual milliseconds between the prompt and the answer. */
  readonly afterMs: number
}

export interface Prompt {
  readonly id: string
  readonly request: PromptRequest
  /** In virtual time. */
  readonly expiresAtMs: number
  /** Virtual milliseconds from its start to its expiry. */
  readonly lastsMs: number
  /** False on a phone that is off or has no signal, or whose SIM is too old to show it. */
  readonly shown: boolean
  /** The owner ignores the prompt, so it stays open until it expires. */
  ignored: boolean
  readonly timers: readonly Timer[]
}

export interface PromptRequest {
  readonly rail: string
  readonly business: string
  readonly businessName: string
  /** The account as shown to the payer. */
  readonly account: string
  readonly amountMinor: Minor
  /** How long the prompt stays open, if the provider sets that. */
  readonly ringMs?: number
  /** Pays the same business and account from the phone's menu, where the network has one. */
  readonly payFromMenu?: (amountMinor: Minor) => void
  /** Called once. The rail decides: it moves the money, or refuses by its own rule. */
  concluded(outcome: Outcome): void
}

/** How the payer's side of a request for money ended. */
export type Outcome =
  /** Approved with the right PIN, on a phone that can pay. */
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

/** How long a network searches for a phone that does not show the prompt; undefined if it shows it. Estimates. */
export const searchMs: Readonly<Record<SimState, number | undefined>> = {
  on: undefined,
  locked: undefined,
  daily_limit: undefined,
  not_registered: undefined,
  off: 20_000,
  no_signal: 20_000,
  // The prompt arrives, but the SIM cannot show it.
  old_sim: 5_000,
}

/** The result of an answer other than `ignore`. Without a PIN the right one is assumed. */
export function outcomeOf(
  phone: Pick<Phone, 'pin' | 'simState' | 'balanceMinor'>,
  answer: Exclude<Answer, 'ignore'>,
  amountMinor: Minor,
  pin = phone.pin,
): Outcome {
  if (answer === 'cancel') return 'cancelled'
  // A locked PIN is refused before the comparison.
  if (phone.simState === 'locked') return 'pin_locked'
  if (answer === 'wrong_pin' || pin !== phone.pin) return 'wrong_pin'
  if (phone.simState === 'daily_limit') return 'over_daily_limit'
  if (answer === 'no_funds' || phone.balanceMinor < amountMinor) return 'no_funds'
  return 'agreed'
}

/** An inbox is short because a load test has tens of thousands of phones. */
const inboxMax = 5

export function receiveSms(phone: Phone, sms: Sms): void {
  phone.sms = [sms, ...phone.sms].slice(0, inboxMax)
}
