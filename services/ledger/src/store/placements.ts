import type { Database } from './database'
import { retryLostRaces } from './retry-lost-races'

export interface Placement {
  readonly placementId: string
  readonly checkoutId: string | null
  readonly accountId: string | null
  readonly status: string
  readonly askedBy: string
  readonly askedAt: Date
  readonly decidedBy: string | null
}

export type PlacementOutcome =
  | 'asked'
  | 'placed'
  | 'withdrawn'
  | 'not_in_suspense'
  | 'refund_underway'
  | 'checkout_not_found'
  | 'wallet_not_open'
  | 'checkout_paid'
  | 'amount_differs'
  | 'still_unconfirmed'
  | 'placement_underway'
  | 'placement_not_found'
  | 'placement_decided'
  | 'needs_another'

/** Asks to give held money to a checkout or a wallet. Nothing moves until another operator agrees. */
export async function askPlacement(
  db: Database,
  asked: {
    readonly placementId: string
    readonly subject: string
    readonly checkoutId: string | undefined
    readonly accountId: string | undefined
    readonly operator: string
    readonly note: string
  },
): Promise<PlacementOutcome> {
  const rows = await retryLostRaces(
    () => db.$queryRaw<[{ outcome: PlacementOutcome }]>`
      SELECT ask_placement(
        p_placement_id => ${asked.placementId}, p_subject => ${asked.subject}, p_checkout_id => ${asked.checkoutId},
        p_account_id => ${asked.accountId}, p_operator => ${asked.operator}, p_note => ${asked.note}
      ) AS outcome`,
  )
  return rows[0].outcome
}

/** Gives held money to the owner that another operator asked for, once; or withdraws that. */
export async function decidePlacement(
  db: Database,
  decision: {
    readonly placementId: string
    readonly isAgreed: boolean
    readonly operator: string
    readonly note: string
    readonly newIntentId: string
  },
): Promise<{ readonly outcome: PlacementOutcome; readonly intentId: string | null }> {
  const rows = await retryLostRaces(
    () => db.$queryRaw<[{ outcome: PlacementOutcome; intentId: string | null }]>`
      SELECT outcome, intent_id AS "intentId" FROM decide_placement(
        p_placement_id => ${decision.placementId}, p_is_agreed => ${decision.isAgreed},
        p_operator => ${decision.operator}, p_note => ${decision.note}, p_new_intent_id => ${decision.newIntentId}
      )`,
  )
  return rows[0]
}
