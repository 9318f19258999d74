import type { Minor } from '@malipo/kernel/money'
import type { Intent } from '../domain/start/state'
import type { OpenedCardSession } from '../domain/submit/decide-record-submit'
import type { Database } from './database'

export interface CardSession {
  readonly feeMinor: Minor
  readonly expiresAt: Date
  readonly opened: OpenedCardSession | undefined
}

/** An attempt by card, and the page in which it is paid. */
export interface CardAttempt {
  readonly checkoutId: string | null
  readonly intent: Intent
  readonly session: CardSession
}

/** Both as they are at one moment: an open session always comes with its page's address. */
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
