import { areTwoOperators } from '../../operators/rules/operator'
import type { Act, Decision } from '../../refunds/rules/decide-by-hand'
import type { OperatorAction } from '../../refunds/rules/state'
import {
  place,
  placingRefusalOf,
  type PlacingOwner,
  type PlacingRefusal,
  type PlacingState,
  type PlacingWrites,
} from './place-money'

export type PlacementStatus = 'asked' | 'placed' | 'withdrawn'

export interface NewPlacement extends PlacingOwner {
  readonly id: string
  readonly subject: string
}

export interface DecidedPlacement {
  readonly id: string
  readonly status: Exclude<PlacementStatus, 'asked'>
  readonly decidedBy: string
}

export type AskPlacementOutcome = 'asked' | 'placement_underway' | PlacingRefusal

export interface AskPlacementDecided {
  readonly outcome: AskPlacementOutcome
  /** Absent where nothing is asked for. */
  readonly writes?: { readonly request: NewPlacement; readonly action: OperatorAction }
}

/** Asks to give held money to its owner. A request that the approval would refuse is refused at once. */
export function askPlacement(
  state: PlacingState & { readonly isAsked: boolean },
  { placement, operator, note }: Act & { readonly placement: NewPlacement },
): AskPlacementDecided {
  const refusal = placingRefusalOf(state, placement)
  if (refusal !== undefined) return { outcome: refusal }
  if (state.isAsked) return { outcome: 'placement_underway' }
  const { subject } = placement
  const action = { operator, did: 'placement_asked', subject, note }
  return { outcome: 'asked', writes: { request: placement, action } }
}

/** A placement, as read under its lock. */
export interface Placement extends NewPlacement {
  readonly status: PlacementStatus
  readonly askedBy: string
}

export type DecidePlacementOutcome =
  | 'placed'
  | 'withdrawn'
  | 'placement_decided'
  | 'needs_another'
  | PlacingRefusal

export interface DecidePlacementDecided {
  readonly outcome: DecidePlacementOutcome
  /** Absent where nothing changes. */
  readonly writes?: {
    readonly placement: DecidedPlacement
    readonly action: OperatorAction
    readonly placing?: PlacingWrites
  }
}

/**
 * Agrees to a placement that another operator asked for, or withdraws it. If the money cannot be placed any more, the
 * request stays open.
 */
export function decidePlacement(
  state: PlacingState,
  placement: Placement,
  { isAgreed, operator, note, newIntentId }: Decision & { readonly newIntentId: string },
): DecidePlacementDecided {
  const { id, subject, status, askedBy } = placement
  if (status !== 'asked') return { outcome: 'placement_decided' }
  if (!isAgreed) {
    const action = { operator, did: 'placement_withdrawn', subject, note }
    const withdrawn = { id, status: 'withdrawn', decidedBy: operator } as const
    return { outcome: 'withdrawn', writes: { placement: withdrawn, action } }
  }
  if (!areTwoOperators(askedBy, operator)) return { outcome: 'needs_another' }
  const refusal = placingRefusalOf(state, placement)
  if (refusal !== undefined) return { outcome: refusal }
  return {
    outcome: 'placed',
    writes: {
      placement: { id, status: 'placed', decidedBy: operator },
      action: { operator, did: 'placed', subject, note },
      placing: place(state, { newIntentId }),
    },
  }
}

/** The payee that the account number of a payment stands for, once it is known. */
export interface WantedPayee {
  /** Undefined if the account number has no owner. */
  readonly payee: { readonly accountId: string; readonly handle: string } | undefined
  readonly isWithinLimits: boolean
  readonly newIntentId: string
}

/** The owner that the money is given to: the payee's account, or none. */
export function ownerOf({ payee }: Pick<WantedPayee, 'payee'>): PlacingOwner {
  return { checkoutId: null, accountId: payee?.accountId ?? null }
}

/**
 * Gives money that was posted before its payee was known to that payee, as an act of the ledger itself. Money that has
 * no owner, or that the wallet may not take, stays in suspense for an operator.
 */
export function decideWantedPayee(
  state: PlacingState,
  { payee, isWithinLimits, newIntentId }: WantedPayee,
): { readonly placing: PlacingWrites; readonly action: OperatorAction } | undefined {
  if (payee === undefined || !isWithinLimits) return undefined
  if (placingRefusalOf(state, ownerOf({ payee })) !== undefined) return undefined
  const { handle } = payee
  const subject = `${state.provider}:${state.receipt}`
  const action = { operator: 'handles', did: 'placed', subject, note: `the handle ${handle}` }
  return { placing: place(state, { newIntentId, handle }), action }
}
