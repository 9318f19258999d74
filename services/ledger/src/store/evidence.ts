import type { FailureCause } from '@malipo/kernel/failure-cause'
import type { Minor } from '@malipo/kernel/money'
import type { EvidenceResult, FactKind, MessageKind, Strength } from '../domain/evidence'
import type { IntentStatus } from '../domain/intent'
import type { Disposition } from '../domain/settle'
import type { Database } from './database'
import { retryLostRaces } from './retry-lost-races'

/** What a message says, in our own words. */
export interface Fact {
  readonly kind: Exclude<FactKind, 'declined_after_paid'>
  readonly receipt?: string | undefined
  readonly amountMinor?: Minor | undefined
  readonly paidAt?: Date | undefined
  readonly providerRequestId?: string | undefined
  readonly cause?: FailureCause
  readonly providerCode?: string
  /** The body carries the provider's signature, and it is right. */
  readonly isSigned?: boolean
}

export interface Weighing {
  /** For a receipt that needs an intent of its own. */
  readonly newIntentId: string
  readonly queryEverySeconds: number
  readonly denyAfterSeconds: number
  /** How long a report of payment that is not confirmed keeps its intent open. */
  readonly reportHoldSeconds: number
  /** The most that a callback settles before the provider's own answer bears it out. */
  readonly unconfirmedMaxMinor: bigint
}

export interface Applied {
  readonly result: EvidenceResult
  /** Of the attempt, or null when the money belongs to none. */
  readonly status: IntentStatus | null
  readonly statusBefore: IntentStatus | null
  readonly kind: MessageKind
  readonly strength: Strength | null
  /** Where the money went, when this posted it. */
  readonly disposition: Disposition | null
}

/** Applies what a stored message says, once. Undefined when there is no such message. */
export async function applyEvidence(
  db: Database,
  messageId: string,
  fact: Fact,
  weighing: Weighing,
): Promise<Applied | undefined> {
  const rows = await retryLostRaces(
    () => db.$queryRaw<Applied[]>`
      SELECT result, status, status_before AS "statusBefore", kind, strength, disposition
      FROM apply_evidence(
        p_message_id => ${messageId}, p_fact => ${fact.kind},
        p_receipt => ${fact.receipt}, p_amount_minor => ${fact.amountMinor}, p_paid_at => ${fact.paidAt},
        p_provider_request_id => ${fact.providerRequestId},
        p_cause => ${fact.cause}, p_provider_code => ${fact.providerCode},
        p_new_intent_id => ${weighing.newIntentId}, p_query_every_seconds => ${weighing.queryEverySeconds},
        p_deny_after_seconds => ${weighing.denyAfterSeconds},
        p_report_hold_seconds => ${weighing.reportHoldSeconds}, p_is_signed => ${fact.isSigned ?? false},
        p_unconfirmed_max_minor => ${weighing.unconfirmedMaxMinor}
      )`,
  )
  return rows[0]
}

/** A message that says "it was paid", with a receipt. */
export interface Payment {
  readonly messageId: string
  readonly fact: Fact
}

/**
 * Settles what is ordinary of many payments by one statement. Answers each in its place, and nothing for those that have
 * to be applied alone.
 */
export async function settleTogether(
  db: Database,
  payments: readonly Payment[],
  { unconfirmedMaxMinor }: Pick<Weighing, 'unconfirmedMaxMinor'>,
): Promise<(Applied | undefined)[]> {
  const items = payments.map(({ messageId, fact }, place) => ({
    place,
    message_id: messageId,
    receipt: fact.receipt,
    amount_minor: fact.amountMinor?.toString(),
    paid_at: fact.paidAt,
    provider_request_id: fact.providerRequestId,
  }))
  const rows = await db.$queryRaw<(Applied & { readonly place: number })[]>`
    SELECT place, result, status, status_before AS "statusBefore", kind, strength, disposition
    FROM settle_together(
      p_items => ${JSON.stringify(items)}::jsonb, p_unconfirmed_max_minor => ${unconfirmedMaxMinor}
    )`
  const answers = new Map(rows.map(({ place, ...applied }) => [place, applied]))
  return payments.map((_, place) => answers.get(place))
}
