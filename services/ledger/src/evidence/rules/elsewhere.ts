import { asksByPage } from '@malipo/kernel/rail-abilities'
import type { Minor } from '@malipo/kernel/money'
import { type Disposition, suspenseAccount } from '../../journal/rules/postings'
import { makesWayOf } from '../../refunds/rules/refund'
import { placeOf } from './settle-receipt'
import type { EvidenceState, ReceiptElsewhere } from './state'

/** What the payer was asked for: the amount, and the fee of a card. */
export function requestedMinorOf({ intent, card }: EvidenceState): Minor {
  return intent.askedMinor + (asksByPage(intent.rail) ? (card?.feeMinor ?? 0n) : 0n)
}

/** Where an amount for the intent goes. */
export function dispositionOf(state: EvidenceState, minor: Minor): Disposition {
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
  /** The intent or its checkout has it. */
  | 'here'
  /** It lies unmatched in suspense, and settles the intent. */
  | 'unmatched'
  | 'elsewhere'

export function standingOf(
  state: EvidenceState,
  { receipt, isPosted }: { readonly receipt: string; readonly isPosted: boolean },
  minor: Minor,
): Standing {
  const elsewhere = state.elsewhere.find((one) => one.receipt === receipt)
  if (elsewhere === undefined) return isPosted ? 'here' : 'nowhere'
  return isPlaceable(state, elsewhere, minor) ? 'unmatched' : 'elsewhere'
}

function isPlaceable(
  state: EvidenceState,
  { holder, minor: heldMinor, refunds, isOwned }: ReceiptElsewhere,
  minor: Minor,
): boolean {
  return (
    holder === suspenseAccount('unmatched') &&
    !isOwned &&
    refunds.every((status) => makesWayOf[status]) &&
    heldMinor === minor &&
    dispositionOf(state, minor) === 'merchant'
  )
}
