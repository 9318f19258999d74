import type { Minor } from '@malipo/kernel/money'
import { paidWithinSeconds } from '@malipo/kernel/prompts'
import { askedMinorOf } from '../../intents/rules/decide-start'
import { type Instant, later } from '../../evidence/rules/state'

/** A payment to a till: its payer types no account number, so the payer and the amount have to say what it is for. */
export interface TillPayment {
  readonly phone: string
  readonly amountMinor: Minor
  readonly paidAt: Instant
}

/** What this payer may have paid: a checkout of the payer's number, or a prompt that was sent to that number. */
export interface TillCandidate {
  readonly kind: 'checkout' | 'prompt'
  /** The checkout, or the attempt of a handle. */
  readonly id: string
  readonly accountId: string
  /** The reference of the prompt, or the id of the checkout, because a checkout may have no account number. */
  readonly account: string
  readonly amountMinor: Minor
  readonly since: Instant
  readonly until: Instant
  /** When the attempt itself was paid; null for a checkout. */
  readonly settledAt: Instant | null
  /** When the checkout was paid, by whatever attempt. */
  readonly checkoutPaidAt: Instant | null
  /** The prompt was declined, and never reported as paid. */
  readonly isDeclined: boolean
}

/** The provider's clock and ours may differ by this much. */
export const clockSeconds = 120
/**
 * At most this many checkouts and this many attempts of a phone are read. With as many in all, some may be missing, so
 * the payment is held.
 */
export const tillCandidatesMax = 50

/**
 * Returns the `account` of the only candidate that its payer was asked for at that time, for just that amount. Undefined
 * where no candidate or more than one fits: the money is then held for an operator. It is also held where another account
 * asked this payer for the same amount before, because it may be late money for that account.
 */
export function tillAccountOf(
  payment: TillPayment,
  candidates: readonly TillCandidate[],
  wholeMajorsOnly: boolean,
): string | undefined {
  if (candidates.length >= tillCandidatesMax) return undefined
  const requested = candidates.filter((one) => wasRequested(payment, one, wholeMajorsOnly))
  const fitting = requested.filter(({ until }) => payment.paidAt <= later(until, clockSeconds))
  if (new Set(fitting.map(({ id }) => id)).size !== 1) return undefined
  if (new Set(requested.map(({ accountId }) => accountId)).size !== 1) return undefined
  return latest(fitting)?.account
}

function wasRequested(
  payment: TillPayment,
  candidate: TillCandidate,
  wholeMajorsOnly: boolean,
): boolean {
  const { kind, amountMinor: due, since } = candidate
  // A prompt has the amount that it asked for. A checkout has the exact amount, which the page may round up.
  const askedMinor = kind === 'prompt' ? due : askedMinorOf(due, wholeMajorsOnly)
  if (askedMinor !== payment.amountMinor) return false
  if (payment.paidAt < later(since, -clockSeconds)) return false
  return isOpen(payment, candidate)
}

/**
 * Whether the candidate could still be paid at the time of the payment. If its checkout was paid before, only a prompt
 * that is still on the phone can be paid as well.
 */
function isOpen({ paidAt }: TillPayment, candidate: TillCandidate): boolean {
  const { kind, since, settledAt, checkoutPaidAt, isDeclined } = candidate
  if (settledAt !== null) return settledAt >= paidAt
  if (checkoutPaidAt === null || checkoutPaidAt >= paidAt) return true
  const isOnPhone = paidAt <= later(since, paidWithinSeconds + clockSeconds)
  return kind === 'prompt' && isOnPhone && !isDeclined
}

/**
 * Of the candidates of one checkout, returns its last prompt, because a callback of that prompt may report the same
 * payment; without a prompt, returns the checkout.
 */
function latest(candidates: readonly TillCandidate[]): TillCandidate | undefined {
  const prompts = candidates.filter(({ kind }) => kind === 'prompt')
  return prompts.sort((one, other) => other.since - one.since)[0] ?? candidates[0]
}

/** Only a whole number proves a payer: callbacks mask or hash it, and only the statement has it. */
export function isWholePhone(phone: string | undefined): phone is string {
  return phone !== undefined && /^\d{10,15}$/.test(phone)
}
