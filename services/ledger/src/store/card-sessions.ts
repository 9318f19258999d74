import type { Minor } from '@malipo/kernel/money'
import type { OpenedCardSession } from '../domain/submit/decide-record-submit'
import type { Database } from './database'
import type { Intent } from './intents'
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
  readonly phone: string | undefined
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

/** An attempt by card, and the page in which it is paid. */
export interface CardAttempt {
  readonly checkoutId: string | null
  readonly intent: Intent
  readonly session: CardSession
}

/** Both as they are at one moment: whoever is told that a page is open is told where. */
export async function findCardAttempt(
  db: Database,
  intentId: string,
): Promise<CardAttempt | undefined> {
  const [row] = await db.$queryRaw<(Intent & Page)[]>`
    SELECT i.id AS "intentId", i.status, i.rail, i.amount_minor AS "amountMinor", i.settled_minor AS "settledMinor",
      i.checkout_id AS "checkoutId", c.fee_minor AS "feeMinor", c.expires_at AS "expiresAt",
      c.session_id AS "sessionId", c.success_indicator AS "successIndicator"
    FROM card_sessions c JOIN intents i ON i.id = c.intent_id
    WHERE c.intent_id = ${intentId}`
  if (row === undefined) return undefined
  const { checkoutId, feeMinor, expiresAt, sessionId, successIndicator, ...intent } = row
  const isOpen = sessionId !== null && successIndicator !== null
  const opened = isOpen ? { sessionId, successIndicator } : undefined
  return { checkoutId, intent, session: { feeMinor, expiresAt, opened } }
}

interface Page {
  readonly checkoutId: string | null
  readonly feeMinor: Minor
  readonly expiresAt: Date
  readonly sessionId: string | null
  readonly successIndicator: string | null
}
