import type { Rail } from '@malipo/kernel/countries'
import { type Minor, wholeMajorUp } from '@malipo/kernel/money'
import { providerOf, suspenseAccount, walletAccount } from '../../journal/rules/postings'
import { intentInitialStates } from '../../intents/rules/intent'
import { noteEvent, type NotedEvent } from '../../webhooks/rules/payment-event'
import { makesWayOf, type RefundStatus } from '../../refunds/rules/refund'
import type { ReceiptMoney } from '../../refunds/rules/state'
import { placedKey } from '../../evidence/rules/settle-receipt'
import type { MatchedIntent, Course, Instant, Intent, Transfer } from '../../evidence/rules/state'

/** All that giving held money to its owner may depend on, as read under the locks. */
export interface PlacingState {
  readonly now: Instant
  /** The provider of the receipt, such as `mpesa`. */
  readonly provider: string
  readonly receipt: string
  /** Undefined for a receipt that was never posted. */
  readonly money: Pick<ReceiptMoney, 'holder' | 'minor'> | undefined
  readonly refunds: readonly RefundStatus[]
  /** Undefined where the money is for a wallet, or for a checkout that does not exist. */
  readonly checkout: PlacedCheckout | undefined
  /** The owner's wallet; undefined where there is none. */
  readonly wallet: { readonly accountId: string; readonly isOpen: boolean } | undefined
  /** The intents that have the receipt, and whose money is held. */
  readonly held: readonly Intent[]
}

interface PlacedCheckout {
  readonly id: string
  readonly amountMinor: Minor
  readonly isPaid: boolean
}

/** Who is to get the money: a checkout, or the wallet of an account. */
export interface PlacingOwner {
  readonly checkoutId: string | null
  readonly accountId: string | null
}

export type PlacingRefusal =
  | 'not_in_suspense'
  | 'refund_underway'
  | 'checkout_not_found'
  | 'wallet_not_open'
  | 'still_unconfirmed'
  | 'checkout_paid'
  | 'amount_differs'

/** Why held money cannot be given to an owner; undefined where it can. */
export function placingRefusalOf(
  { money, refunds, checkout, wallet }: PlacingState,
  { checkoutId }: PlacingOwner,
): PlacingRefusal | undefined {
  if (money === undefined || !isHeld(money)) return 'not_in_suspense'
  if (!refunds.every((status) => makesWayOf[status])) return 'refund_underway'
  if (checkoutId !== null && checkout === undefined) return 'checkout_not_found'
  if (wallet?.isOpen !== true) return 'wallet_not_open'
  // Frozen money is not placed: it goes back to the wallet that it was taken from once the statement shows the payment.
  if (money.holder === suspenseAccount('unconfirmed')) return 'still_unconfirmed'
  return checkout && refusalOfCheckout(checkout, money.minor)
}

function isHeld({ holder }: Pick<ReceiptMoney, 'holder'>): boolean {
  return holder?.startsWith('suspense:') === true
}

function refusalOfCheckout(
  { isPaid, amountMinor }: PlacedCheckout,
  minor: Minor,
): PlacingRefusal | undefined {
  if (isPaid) return 'checkout_paid'
  // The setting for whole shillings may have changed since the payer was asked, so either amount is right.
  const isRight = minor === amountMinor || minor === wholeMajorUp(amountMinor)
  return isRight ? undefined : 'amount_differs'
}

export interface PlacingWrites {
  readonly transfers: readonly Transfer[]
  readonly intents: readonly (Course & { readonly id: string })[]
  readonly matched: MatchedIntent
  readonly paymentEvents: readonly NotedEvent[]
}

/** The rails of payments that no attempt of ours asked for: of M-Pesa it is the Pay Bill menu. */
const unrequestedRails = ['paybill', 'mtn_momo', 'airtel_money', 'card'] as const satisfies Rail[]

function unrequestedRailOf(provider: string): Rail {
  const rail = unrequestedRails.find((one) => providerOf[one] === provider)
  if (rail === undefined) throw new Error(`no rail has receipts of ${provider}`)
  return rail
}

interface Beginning {
  readonly newIntentId: string
  readonly handle?: string
}

/**
 * Gives held money to its owner: a transfer out of suspense, and a new intent of the owner with the payer's own
 * receipt. Called only where `placingRefusalOf` returns undefined.
 */
export function place(state: PlacingState, beginning: Beginning): PlacingWrites {
  const { now, provider, receipt, money, wallet, held } = state
  if (money?.holder == null || wallet === undefined) {
    throw new Error(`the money of ${provider}:${receipt} cannot be placed`)
  }
  const matched: MatchedIntent = {
    ...ownedBy(state, wallet.accountId, beginning),
    ...broughtBy(state),
    ...{ id: beginning.newIntentId, askedMinor: money.minor, settledMinor: money.minor },
    ...{ amountMinor: state.checkout?.amountMinor ?? money.minor, receipt },
    ...{ status: intentInitialStates.matched, event: 'matched', disposition: 'merchant' },
  }
  return {
    transfers: [
      {
        ...{ eventKey: placedKey(provider, receipt), leg: 0, debit: money.holder },
        ...{ credit: walletAccount(wallet.accountId), minor: money.minor, eventAt: now },
      },
    ],
    // The attempt that brought the money no longer has it.
    intents: held.map((intent) => ({ ...intent, disposition: 'placed' })),
    matched,
    paymentEvents: eventsOf(state, matched),
  }
}

function eventsOf({ checkout }: PlacingState, matched: MatchedIntent): readonly NotedEvent[] {
  if (checkout === undefined) return []
  const change = { before: undefined, after: matched, isCheckoutPaid: checkout.isPaid }
  return [noteEvent(checkout.id, change)].flatMap((event) => event ?? [])
}

/** A payment belongs to a checkout, or else to a handle of an account. */
function ownedBy(
  { checkout, held: [had] }: PlacingState,
  accountId: string,
  { handle = 'suspense' }: Beginning,
) {
  if (checkout !== undefined) return { checkoutId: checkout.id, accountId: null, handle: null }
  return { checkoutId: null, accountId, handle: had?.handle ?? handle }
}

function broughtBy({ provider, held: [had] }: PlacingState) {
  return { rail: had?.rail ?? unrequestedRailOf(provider), phone: had?.phone ?? null }
}
