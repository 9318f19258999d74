import type { Minor } from '@malipo/kernel/money'
import type { Pool } from 'pg'
import type { PublicIntent } from '../../intents/rules/decide-start'
import type { OpenedCardSession } from '../../intents/rules/decide-submit'
import type { Database } from '../../database/database'
import {
  decideStartCard,
  type StartCardAnswer,
  type StartCardRequest,
  type StartCardTerms,
} from '../rules/decide-start-card'
import { loadStartCard } from '../../intents/store/start-intent'
import { type KeyedCommand, startBatch } from '../../intents/store/save-start'

export interface CardSession {
  readonly feeMinor: Minor
  readonly expiresAt: Date
  readonly opened: OpenedCardSession | undefined
}

export interface CardAttempt {
  readonly checkoutId: string | null
  readonly intent: PublicIntent
  readonly session: CardSession
}

/** Reads the attempt and its page in one statement, so that they fit together. Undefined for an unknown id. */
export async function findCardAttempt(
  db: Database,
  intentId: string,
): Promise<CardAttempt | undefined> {
  const [row] = await db.$queryRaw<(PublicIntent & Page)[]>`
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

export interface StartCardCommand extends StartCardRequest, KeyedCommand {
  readonly checkoutId: string
}

/** Returns an answer for each command, in order; undefined for one that has to be loaded again. */
export async function startCardIntents(
  pool: Pool,
  commands: readonly StartCardCommand[],
  { terms, isWaiting }: { readonly terms: StartCardTerms; readonly isWaiting: boolean },
): Promise<(StartCardAnswer | undefined)[]> {
  const requests = commands.map((command) => ({ ...command, scope: `card ${command.checkoutId}` }))
  return startBatch(pool, requests, {
    load: (transaction, input) => loadStartCard(transaction, input, isWaiting),
    about: ({ checkoutId }) => [checkoutId],
    decide: (state, request) => decideStartCard(state, request, terms),
  })
}
