import type { Minor } from '@malipo/kernel/money'
import type { Pool } from 'pg'
import {
  type Attempt,
  type AttemptFacts,
  attemptOf,
  type AttemptsSummary,
  isDeniedByAnswers,
  mayHavePaid,
  summarize,
} from '../../intents/rules/attempt'
import type { IntentStatus } from '../../intents/rules/intent'
import type { Payee } from '../../pay-bill/rules/state'
import { type AttemptJson, attemptJson, dateOf, readAttempt } from '../../checkouts/store/checkouts'
import { providerOfRail } from '../../journal/store/receipts'
import type { Instant } from '../../evidence/rules/state'
import { micros, type Statement } from '../../database/transaction'

/**
 * An attempt to pay a handle, as its payer sees it. The summary is of this attempt and of the earlier attempts from the
 * same phone to the same handle within an hour.
 */
export interface HandlePayment extends AttemptsSummary {
  readonly payee: Payee
  /** The amount of the attempt; if its money was held and then given to the payee, the amount that the payee got. */
  readonly amountMinor: Minor
  /** The amount that the payer is asked for; if the money was held and then given to the payee, what the payer paid. */
  readonly askedMinor: Minor
  readonly attempt: Attempt
  /** When its money went to the payee. */
  readonly completedAt: Date | undefined
  /**
   * The newest attempt of the same phone to the same handle in the hour after one that ended without money, if that
   * later one is paid or may be.
   */
  readonly laterIntentId: string | undefined
}

const load: Statement = {
  name: 'load_handle_payment',
  text: `
    SELECT own.account_id AS "accountId", own.handle, own.amount_minor AS "amountMinor", own.asked_minor AS "askedMinor",
      (SELECT coalesce(json_agg(${attemptJson} ORDER BY i.created_at), '[]') FROM intents i
        WHERE i.phone = own.phone AND i.handle = own.handle AND i.id <> own.id
          AND i.created_at > own.created_at - interval '1 hour' AND i.created_at <= own.created_at) AS earlier,
      (SELECT coalesce(json_agg(${attemptJson} ORDER BY i.created_at), '[]') FROM intents i
        WHERE own.status IN ('failed', 'expired') AND i.phone = own.phone AND i.handle = own.handle
          AND i.created_at > own.created_at AND i.created_at <= own.created_at + interval '1 hour') AS later,
      (SELECT ${attemptJson} FROM intents i WHERE i.id = own.id) AS attempt,
      (SELECT json_build_object('status', p.status, 'settledAt', ${micros('p.settled_at')}, 'minor', p.settled_minor::text)
        FROM intents p
        WHERE own.disposition = 'placed' AND p.receipt = own.receipt AND p.account_id = own.account_id
          AND p.disposition = 'merchant' AND ${providerOfRail('p.rail')} = ${providerOfRail('own.rail')} LIMIT 1) AS placed
    FROM intents own WHERE own.id = $1 AND own.account_id IS NOT NULL AND own.handle IS NOT NULL`,
}

export const handlePaymentStatements = { load } as const

interface Row extends Payee {
  readonly amountMinor: string
  readonly askedMinor: string
  readonly earlier: readonly AttemptJson[]
  readonly later: readonly AttemptJson[]
  readonly attempt: AttemptJson
  readonly placed: PlacedJson | null
}

/** The payment that the payee got of money that was held before. */
interface PlacedJson {
  readonly status: IntentStatus
  readonly settledAt: Instant
  readonly minor: string
}

export async function findHandlePayment(
  pool: Pool,
  intentId: string,
): Promise<HandlePayment | undefined> {
  const { rows } = await pool.query<Row>({ ...load, values: [intentId] })
  const [row] = rows
  if (row === undefined) return undefined
  const { accountId, handle, amountMinor, askedMinor, earlier, later, placed } = row
  const own = readAttempt(row.attempt)
  const before = earlier.map(readAttempt)
  const summary = summarize([...before, own])
  return {
    ...summary,
    mayHavePaid: summary.mayHavePaid || before.some(isPromptOpen),
    payee: { accountId, handle },
    amountMinor: BigInt(placed?.minor ?? amountMinor),
    askedMinor: BigInt(placed?.minor ?? askedMinor),
    completedAt: completedAtOf(own, placed),
    laterIntentId: later.map(readAttempt).findLast(isPaidOrMayBe)?.intentId,
    attempt: attemptOf({ ...own, status: placed?.status ?? own.status }),
  }
}

function completedAtOf(
  { disposition, settledAt }: AttemptFacts,
  placed: PlacedJson | null,
): Date | undefined {
  if (placed !== null) return dateOf(placed.settledAt)
  return disposition === 'merchant' ? settledAt : undefined
}

/** Whether the attempt has or may have money, so that a payer who is shown an earlier one might pay again. */
function isPaidOrMayBe(attempt: AttemptFacts): boolean {
  const isPaid = attempt.disposition === 'merchant'
  return !attempt.isEnded || isPaid || mayHavePaid(attempt) || isDeniedByAnswers(attempt)
}

/**
 * Whether the prompt may still be paid. A phone may have several such attempts to a handle at a time, unlike a checkout.
 */
function isPromptOpen({ isEnded, submittedAt }: AttemptFacts): boolean {
  return !isEnded && submittedAt !== undefined
}
