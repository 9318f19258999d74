import type { Rail } from '@malipo/kernel/countries'
import type { Minor } from '@malipo/kernel/money'
import type { OpenPrompt } from '../domain/checkout'
import type { IntentStatus } from '../domain/intent'
import type { Database } from './database'
import { retryLostRaces } from './retry-lost-races'

/** An attempt as the public reads it. */
export interface Intent {
  readonly intentId: string
  readonly status: IntentStatus
  readonly rail: Rail
  readonly amountMinor: Minor
  readonly settledMinor: Minor | null
}

export interface NewIntent {
  readonly intentId: string
  readonly checkoutId: string
  readonly key: string
  readonly fingerprint: Buffer
  readonly rail: Rail
  readonly phone: string
  readonly callbackSecret: string
  readonly attemptReference: string
  /** Ask for whole shillings: an amount with cents is rounded up. */
  readonly wholeMajorsOnly: boolean
  readonly startSeconds: number
  readonly promptsPerPhoneMax: number
  readonly promptsPerCheckoutMax: number
}

export type StartOutcome =
  | (Intent & { readonly outcome: 'started' | 'replayed' | 'in_progress' })
  | { readonly outcome: StartRefusal }
  | { readonly outcome: 'rate_limited'; readonly retryAfterSeconds: number }

export type StartRefusal =
  | 'checkout_not_found'
  | 'idempotency_mismatch'
  | 'checkout_paid'
  | 'checkout_expired'

export async function startIntent(db: Database, asked: NewIntent): Promise<StartOutcome> {
  const rows = await retryLostRaces(
    () => db.$queryRaw<[StartOutcome]>`
      SELECT outcome, retry_after_seconds AS "retryAfterSeconds", intent_id AS "intentId", status, rail,
        amount_minor AS "amountMinor", settled_minor AS "settledMinor"
      FROM start_intent(
        p_intent_id => ${asked.intentId}, p_checkout_id => ${asked.checkoutId},
        p_key => ${asked.key}, p_fingerprint => ${asked.fingerprint},
        p_rail => ${asked.rail}, p_phone => ${asked.phone},
        p_callback_secret => ${asked.callbackSecret}, p_attempt_reference => ${asked.attemptReference},
        p_whole_majors_only => ${asked.wholeMajorsOnly}, p_start_seconds => ${asked.startSeconds},
        p_phone_max => ${asked.promptsPerPhoneMax}::int, p_checkout_max => ${asked.promptsPerCheckoutMax}::int
      )`,
  )
  return rows[0]
}

export async function findIntent(db: Database, intentId: string): Promise<Intent | undefined> {
  const row = await db.intent.findUnique({
    where: { id: intentId },
    select: { id: true, status: true, rail: true, amountMinor: true, settledMinor: true },
  })
  if (row === null) return undefined
  const { id, status, rail, ...money } = row
  // The words are those of a CHECK in the database.
  return { intentId: id, status: status as IntentStatus, rail: rail as Rail, ...money }
}

/** What the payer of an attempt in flight is told of its prompt; undefined when it has ended or prompts no phone. */
export async function findOpenPrompt(
  db: Database,
  intentId: string,
): Promise<OpenPrompt | undefined> {
  const row = await db.intent.findUnique({
    where: { id: intentId },
    select: openPromptColumns,
  })
  return row === null ? undefined : openPromptOf(row)
}

/** What `openPromptOf` reads of an intent. */
export const openPromptColumns = {
  status: true,
  attemptReference: true,
  queuedAt: true,
  submittedAt: true,
  deadlineAt: true,
  endedAt: true,
  wireAttempt: { select: { outcome: true } },
} as const

export function openPromptOf(row: {
  readonly status: string
  readonly attemptReference: string | null
  readonly queuedAt: Date | null
  readonly submittedAt: Date | null
  readonly deadlineAt: Date | null
  readonly endedAt: Date | null
  readonly wireAttempt: { readonly outcome: string | null } | null
}): OpenPrompt | undefined {
  const { attemptReference } = row
  if (attemptReference === null || row.endedAt !== null) return undefined
  return {
    attemptReference,
    isQueued: row.status === 'reserved' && row.queuedAt !== null,
    sentAt: row.submittedAt ?? undefined,
    deadlineAt: row.deadlineAt ?? undefined,
    isUnanswered: row.status === 'submitted' && row.wireAttempt?.outcome === 'unknown',
  }
}

/** What to ask a provider about an attempt. */
export interface Query {
  readonly rail: Rail
  /** What the payer was asked for. */
  readonly amountMinor: Minor
  readonly attemptReference: string
  readonly providerRequestId: string | null
  readonly submittedAt: Date
  readonly receiptWanted: boolean
  /** Which of the provider's platforms took the prompt. */
  readonly platform: string | null
}

/** Takes the query of an intent, if it is due, for the one caller that may ask it. */
export async function takeQuery(
  db: Database,
  intentId: string,
  queryEverySeconds: number,
): Promise<Query | undefined> {
  const rows = await retryLostRaces(
    () => db.$queryRaw<Query[]>`
      SELECT rail, amount_minor AS "amountMinor", attempt_reference AS "attemptReference",
        provider_request_id AS "providerRequestId", submitted_at AS "submittedAt", receipt_wanted AS "receiptWanted",
        platform
      FROM begin_query(p_intent_id => ${intentId}, p_query_every_seconds => ${queryEverySeconds})`,
  )
  return rows[0]
}
