import { asksByPage } from '@malipo/kernel/rail-abilities'
import type { Minor } from '@malipo/kernel/money'
import { paidWithinSeconds } from '@malipo/kernel/prompts'
import { type Disposition, suspenseAccount } from '../../journal/rules/postings'
import { clockSeconds } from '../../pay-bill/rules/till-payment'
import { makesWayOf } from '../../refunds/rules/refund'
import { placeOf } from './settle-receipt'
import type { FactKind, Strength } from './evidence'
import { type EvidenceState, later, type ReceiptElsewhere } from './state'

/** What a payer was asked for, and whether it is paid. */
export type Requested = Pick<EvidenceState, 'intent' | 'card' | 'isCheckoutPaid' | 'wallet'>

/** The fee that a payer by card pays beside the amount; 0 on other rails. */
export function feeMinorOf({ intent, card }: Pick<Requested, 'intent' | 'card'>): Minor {
  return asksByPage(intent.rail) ? (card?.feeMinor ?? 0n) : 0n
}

/** What the payer was asked for: the amount, and the fee of a card. */
export function requestedMinorOf(state: Pick<Requested, 'intent' | 'card'>): Minor {
  return state.intent.askedMinor + feeMinorOf(state)
}

export function dispositionOf(state: Requested, minor: Minor): Disposition {
  const { intent, isCheckoutPaid, wallet } = state
  return placeOf({
    // An intent without a checkout is paid by its first receipt.
    isPaid: intent.checkoutId === null ? intent.settledAt !== null : isCheckoutPaid,
    isExact: minor === requestedMinorOf(state),
    wallet,
  })
}

/** Where the journal has a receipt that is named for an intent. */
export type Standing =
  | 'nowhere'
  /** The intent or its checkout has the receipt, or the checkout is paid and the receipt stays in suspense. */
  | 'here'
  /** The receipt lies unmatched in suspense, and settles the intent. */
  | 'unmatched'
  | 'elsewhere'

interface Named {
  readonly receipt: string
  readonly isPosted: boolean
  /** The provider's own answer or statement names the receipt, and not a callback alone. */
  readonly isProven: boolean
}

export function standingOf(
  state: EvidenceState,
  { receipt, isPosted, isProven }: Named,
  minor: Minor,
): Standing {
  const elsewhere = state.elsewhere.find((one) => one.receipt === receipt)
  if (elsewhere === undefined) return isPosted ? 'here' : 'nowhere'
  if (!isUnmatched(elsewhere)) return 'elsewhere'
  if (state.intent.checkoutId !== null && state.isCheckoutPaid) return 'here'
  const isOfPrompt = isFree(elsewhere) && couldBeOf(state, elsewhere, isProven)
  const isExact = elsewhere.minor === minor && dispositionOf(state, minor) === 'merchant'
  return isOfPrompt && isExact ? 'unmatched' : 'elsewhere'
}

/** Whether the provider's own answer or statement names the receipt. */
export function isProvenBy(evidence: {
  readonly fact: FactKind
  readonly strength: Strength
}): boolean {
  return evidence.fact === 'receipt' && evidence.strength === 'E4'
}

function isUnmatched({ holder, isOwned }: ReceiptElsewhere): boolean {
  return holder === suspenseAccount('unmatched') && !isOwned
}

function isFree({ refunds, isClaimed }: ReceiptElsewhere): boolean {
  return !isClaimed && refunds.every((status) => makesWayOf[status])
}

/** Whether the money can come from the prompt: a callback can name money that is older, or of an account number. */
function couldBeOf(
  { intent: { submittedAt } }: EvidenceState,
  { paidAt, hasAccountNumber }: ReceiptElsewhere,
  isProven: boolean,
): boolean {
  if (submittedAt === null || (hasAccountNumber !== false && !isProven)) return false
  const isBefore = paidAt < later(submittedAt, -clockSeconds)
  return !isBefore && paidAt <= later(submittedAt, paidWithinSeconds + clockSeconds)
}
