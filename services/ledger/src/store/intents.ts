import type { MobileRail, Rail } from '@malipo/kernel/countries'
import type { FailureCause } from '@malipo/kernel/failure-cause'
import type { Minor } from '@malipo/kernel/money'
import { promptTimes, type PromptTimes } from '@malipo/kernel/prompts'
import type { OpenPrompt } from '../domain/checkout'
import type { IntentStatus } from '../domain/intent'
import { queueSeconds } from '../domain/limits'
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

/** What goes to the provider. */
export interface Prompt {
  /** Whom it pays. */
  readonly accountId: string
  readonly rail: Rail
  readonly phone: string | null
  /** What the payer is asked for. */
  readonly amountMinor: Minor
  /** Null of an attempt by card, whom nobody calls back at an address of its own. */
  readonly attemptReference: string | null
  readonly callbackSecret: string | null
  /** Of an attempt by card. */
  readonly card: CardOrder | undefined
}

export interface CardOrder {
  readonly checkoutId: string
  readonly feeMinor: Minor
  /** How long the page is to be open. */
  readonly lifeSeconds: number
  readonly sealedPayer: Uint8Array | null
}

/** As the function answers it: the columns of a card are those of the order, or all null. */
type TakenRow = Omit<Prompt, 'card'> & {
  readonly [Column in keyof CardOrder]: CardOrder[Column] | null
}

const promptSeconds = Object.fromEntries(
  Object.entries(promptTimes).map(([rail, times]) => [rail, times.promptSeconds]),
)

export interface TakePromptOptions {
  readonly promptTimes: Readonly<Record<MobileRail, PromptTimes>>
  readonly cardQueryAfterSeconds: number
  /** Where the caller sends prompts of MTN to. */
  readonly mtnMomoPlatform: string | undefined
}

/**
 * Takes the prompt of an intent for the one caller that may send it. While another prompt is open on its phone there is
 * none to take: the intent is queued.
 */
export async function takePrompt(
  db: Database,
  intentId: string,
  { promptTimes, cardQueryAfterSeconds, mtnMomoPlatform }: TakePromptOptions,
): Promise<Prompt | undefined> {
  const byRail = JSON.stringify(promptTimes)
  const rows = await retryLostRaces(
    () => db.$queryRaw<TakenRow[]>`
      SELECT (
          SELECT coalesce(i.account_id, c.account_id)
          FROM intents i LEFT JOIN checkouts c ON c.id = i.checkout_id WHERE i.id = ${intentId}
        ) AS "accountId", rail, phone, amount_minor AS "amountMinor", attempt_reference AS "attemptReference",
        callback_secret AS "callbackSecret", checkout_id AS "checkoutId", fee_minor AS "feeMinor",
        ceil(extract(epoch FROM expires_at - clock_timestamp()))::int AS "lifeSeconds", sealed_payer AS "sealedPayer"
      FROM queue_prompt(
        p_intent_id => ${intentId}, p_prompt_seconds => ${JSON.stringify(promptSeconds)}::jsonb,
        p_queue_seconds => ${queueSeconds}
      ) AS is_queued, begin_submit(
        p_intent_id => CASE WHEN is_queued THEN NULL ELSE ${intentId} END, 
        p_deadline_seconds => (
          SELECT (${byRail}::jsonb -> i.rail ->> 'deadlineSeconds')::float8 FROM intents i WHERE i.id = ${intentId}
        ),
        p_query_after_seconds => (
          SELECT (${byRail}::jsonb -> i.rail ->> 'queryAfterSeconds')::float8 FROM intents i WHERE i.id = ${intentId}
        ),
        p_card_query_after_seconds => ${cardQueryAfterSeconds}, p_mtn_momo_platform => ${mtnMomoPlatform}
      )`,
  )
  return rows[0] && promptOf(rows[0])
}

function promptOf({ checkoutId, feeMinor, lifeSeconds, sealedPayer, ...prompt }: TakenRow): Prompt {
  const isByCard = checkoutId !== null && feeMinor !== null && lifeSeconds !== null
  return {
    ...prompt,
    card: isByCard ? { checkoutId, feeMinor, lifeSeconds, sealedPayer } : undefined,
  }
}

/** The page that the card gateway has opened. */
export interface OpenedCardSession {
  readonly sessionId: string
  /** What the browser of a payer who has paid brings back. */
  readonly successIndicator: string
}

/** How the call to the provider ended, in the words of the column `outcome`. */
export interface SubmitOutcome {
  readonly outcome: 'accepted' | 'refused' | 'not_sent' | 'unknown'
  readonly providerRequestId?: string
  /** Of an attempt by card: the page that the gateway has opened for it. */
  readonly opened?: OpenedCardSession | undefined
  readonly cause?: FailureCause
  readonly providerCode?: string
  readonly detail?: string
}

export interface Recorded {
  readonly status: IntentStatus
  /** The provider's answer cannot be true of an attempt in this status. */
  readonly isConflict: boolean
}

export async function recordSubmit(
  db: Database,
  intentId: string,
  ended: SubmitOutcome,
): Promise<Recorded | undefined> {
  const rows = await retryLostRaces(
    () => db.$queryRaw<Recorded[]>`
      WITH opened AS (
        UPDATE card_sessions SET session_id = ${ended.opened?.sessionId}, success_indicator = ${ended.opened?.successIndicator}
        WHERE intent_id = ${intentId} AND session_id IS NULL AND ${ended.opened !== undefined}
      )
      SELECT status, is_conflict AS "isConflict"
      FROM record_submit(
        p_intent_id => ${intentId}, p_outcome => ${ended.outcome},
        p_provider_request_id => ${ended.providerRequestId}, p_cause => ${ended.cause},
        p_provider_code => ${ended.providerCode}, p_detail => ${ended.detail}
      )`,
  )
  return rows[0]
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
