import { areTwoOperators } from '../../operators/rules/operator'
import type { Act, Decision } from '../../refunds/rules/decide-by-hand'
import type { OperatorAction } from '../../refunds/rules/state'
import type { Instant } from '../../evidence/rules/state'

/** All that a request to freeze or to thaw a wallet may depend on, as read under the lock of the wallet. */
export interface WalletState {
  /** Undefined where there is no such wallet. */
  readonly wallet: { readonly isFrozen: boolean } | undefined
  /** A freezing or a thawing of the wallet waits for another operator. */
  readonly isUnderway: boolean
}

export interface FreezingRequest extends Act {
  readonly freezingId: string
  readonly accountId: string
  /** Freezes the wallet; false thaws it. */
  readonly shallFreeze: boolean
}

export type AskFreezingOutcome =
  | 'asked'
  | 'wallet_not_found'
  | 'nothing_to_do'
  | 'freezing_underway'

export interface AskFreezingDecided {
  readonly outcome: AskFreezingOutcome
  /** Present only when the outcome is `asked`. */
  readonly action?: OperatorAction
}

/** Asks to freeze a wallet or to thaw it. Nothing changes until another operator agrees. */
export function askFreezing(
  { wallet, isUnderway }: WalletState,
  { accountId, shallFreeze, operator, note }: FreezingRequest,
): AskFreezingDecided {
  if (wallet === undefined) return { outcome: 'wallet_not_found' }
  if (wallet.isFrozen === shallFreeze) return { outcome: 'nothing_to_do' }
  if (isUnderway) return { outcome: 'freezing_underway' }
  return { outcome: 'asked', action: { operator, did: 'freezing_asked', subject: accountId, note } }
}

/** A freezing or a thawing, as read under the lock of its wallet. */
export interface FreezingState {
  readonly now: Instant
  readonly accountId: string
  /** Freezes the wallet; false thaws it. */
  readonly shallFreeze: boolean
  readonly status: 'asked' | 'done' | 'withdrawn'
  readonly askedBy: string
}

export type DecideFreezingOutcome =
  | 'frozen'
  | 'thawed'
  | 'withdrawn'
  | 'needs_another'
  | 'freezing_not_found'
  | 'freezing_decided'

export interface FreezingDecided {
  readonly outcome: DecideFreezingOutcome
  /** Absent where nothing changes. */
  readonly writes?: {
    readonly status: 'done' | 'withdrawn'
    /** The new state of the wallet; absent where the wallet stays as it is. */
    readonly wallet?: { readonly accountId: string; readonly frozenAt: Instant | null }
    readonly action: OperatorAction
  }
}

/**
 * Freezes or thaws a wallet as another operator asked for, or withdraws the request. The operator who asked may only
 * withdraw.
 */
export function decideFreezing(
  freezing: FreezingState | undefined,
  { isAgreed, operator, note }: Decision,
): FreezingDecided {
  if (freezing === undefined) return { outcome: 'freezing_not_found' }
  const { now, accountId, shallFreeze, status, askedBy } = freezing
  if (status !== 'asked') return { outcome: 'freezing_decided' }
  const act = { operator, subject: accountId, note }
  if (!isAgreed) {
    const action = { ...act, did: 'freezing_withdrawn' }
    return { outcome: 'withdrawn', writes: { status: 'withdrawn', action } }
  }
  if (!areTwoOperators(askedBy, operator)) return { outcome: 'needs_another' }
  const outcome = shallFreeze ? 'frozen' : 'thawed'
  const wallet = { accountId, frozenAt: shallFreeze ? now : null }
  return { outcome, writes: { status: 'done', wallet, action: { ...act, did: outcome } } }
}
