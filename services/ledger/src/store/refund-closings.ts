import type { Database } from './database'
import type { RefundEnd } from '../domain/refunds/state'
import { retryLostRaces } from './retry-lost-races'

/** What somebody does by hand about a refund. */
interface Act {
  readonly refundId: string
  readonly operator: string
  readonly note: string
}

export type AskClosingOutcome =
  'asked' | 'refund_not_found' | 'not_sent_or_decided' | 'still_asked' | 'closing_underway'

export async function askRefundClosing(
  db: Database,
  asked: Act & { readonly end: RefundEnd },
): Promise<AskClosingOutcome> {
  const rows = await retryLostRaces(
    () => db.$queryRaw<[{ outcome: AskClosingOutcome }]>`
      SELECT ask_refund_closing(
        p_refund_id => ${asked.refundId}, p_closing => ${asked.end},
        p_operator => ${asked.operator}, p_note => ${asked.note}
      ) AS outcome`,
  )
  return rows[0].outcome
}

export type DecideClosingOutcome =
  RefundEnd | 'withdrawn' | 'refund_not_found' | 'no_closing' | 'needs_another' | 'provider_decided'

export async function decideRefundClosing(
  db: Database,
  decision: Act & { readonly isAgreed: boolean },
): Promise<DecideClosingOutcome> {
  const rows = await retryLostRaces(
    () => db.$queryRaw<[{ outcome: DecideClosingOutcome }]>`
      SELECT decide_refund_closing(
        p_refund_id => ${decision.refundId}, p_is_agreed => ${decision.isAgreed},
        p_operator => ${decision.operator}, p_note => ${decision.note}
      ) AS outcome`,
  )
  return rows[0].outcome
}
