import type { Minor } from '@malipo/kernel/money'
import type { Database } from './database'
import type { Intent, OpenedCardSession } from './intents'
import { retryLostRaces } from './retry-lost-races'

export interface CardSession {
  readonly feeMinor: Minor
  readonly expiresAt: Date
  readonly opened: OpenedCardSession | undefined
}

export interface NewCardIntent {
  readonly intentId: string
  readonly checkoutId: string
  readonly key: string
  readonly fingerprint: Buffer
  readonly phone: string
  /** Undefined where a card cannot pay the amount, or no cards are taken. */
  readonly feeMinor: Minor | undefined
  readonly sealedPayer: Buffer | undefined
  readonly startSeconds: number
  readonly sessionSeconds: number
  readonly attemptsPerCheckoutMax: number
}

export type CardStartOutcome =
  | (Intent & { readonly outcome: 'started' | 'replayed' })
  | {
      readonly outcome:
        | 'checkout_not_found'
        | 'idempotency_mismatch'
        | 'checkout_paid'
        | 'card_off'
        | 'payment_in_progress'
        | 'checkout_expired'
    }
  | { readonly outcome: 'rate_limited'; readonly retryAfterSeconds: number }

export async function startCardIntent(
  db: Database,
  asked: NewCardIntent,
): Promise<CardStartOutcome> {
  const rows = await retryLostRaces(
    () => db.$queryRaw<[CardStartOutcome]>`
      SELECT outcome, retry_after_seconds AS "retryAfterSeconds", intent_id AS "intentId", status, rail,
        amount_minor AS "amountMinor", settled_minor AS "settledMinor"
      FROM start_card_intent(
        p_intent_id => ${asked.intentId}, p_checkout_id => ${asked.checkoutId},
        p_key => ${asked.key}, p_fingerprint => ${asked.fingerprint}, p_phone => ${asked.phone},
        p_fee_minor => ${asked.feeMinor}, p_sealed_payer => ${asked.sealedPayer},
        p_start_seconds => ${asked.startSeconds}, p_session_seconds => ${asked.sessionSeconds},
        p_checkout_max => ${asked.attemptsPerCheckoutMax}::int
      )`,
  )
  return rows[0]
}

/** The session of an attempt to pay this checkout. */
export async function findCardSession(
  db: Database,
  intentId: string,
): Promise<(CardSession & { readonly checkoutId: string | null }) | undefined> {
  const row = await db.cardSession.findUnique({
    where: { intentId },
    select: {
      feeMinor: true,
      expiresAt: true,
      sessionId: true,
      successIndicator: true,
      intent: { select: { checkoutId: true } },
    },
  })
  if (row === null) return undefined
  const { feeMinor, expiresAt, sessionId, successIndicator, intent } = row
  const isOpen = sessionId !== null && successIndicator !== null
  return {
    checkoutId: intent.checkoutId,
    feeMinor,
    expiresAt,
    opened: isOpen ? { sessionId, successIndicator } : undefined,
  }
}
