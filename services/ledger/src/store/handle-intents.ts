import type { Rail } from '@malipo/kernel/countries'
import type { FailureCause } from '@malipo/kernel/failure-cause'
import type { Minor } from '@malipo/kernel/money'
import type { Attempt } from '../domain/checkout'
import type { IntentStatus } from '../domain/intent'
import type { Database } from './database'
import type { Intent as IntentRow } from './generated/client'
import { openPromptColumns, openPromptOf } from './intents'
import type { Payee } from '../domain/settlement/decide-pay-bill'

/** An attempt to pay a handle, as its payer sees it. */
export interface HandlePayment {
  readonly payee: Payee
  readonly amountMinor: Minor
  /** What its payer is asked for. */
  readonly askedMinor: Minor
  readonly attempt: Attempt
  /** When its money went to the payee. */
  readonly completedAt: Date | undefined
  /** Of this phone to pay this handle, without money, in the hour up to this attempt and with it. */
  readonly failedAttempts: number
  /** Money of one of them, or of this attempt, is held for a person, or may still arrive. */
  readonly mayHavePaid: boolean
  /** One of them was reported as paid, and two operators found that it was not. */
  readonly isFoundUnpaid: boolean
  /** The rail whose status answers alone ended one of them as not paid: they have been wrong. Null when there is none. */
  readonly deniedRail: Rail | null
}

type OfHour = 'failedAttempts' | 'mayHavePaid' | 'isFoundUnpaid' | 'deniedRail'

interface Hour extends Pick<HandlePayment, OfHour> {
  /** Of the one attempt itself. */
  readonly isOwnFoundUnpaid: boolean
}

export async function findHandlePayment(
  db: Database,
  intentId: string,
): Promise<HandlePayment | undefined> {
  const row = await db.intent.findUnique({
    where: { id: intentId },
    include: { wireAttempt: openPromptColumns.wireAttempt },
  })
  const { accountId = null, handle = null } = row ?? {}
  if (row === null || accountId === null || handle === null) return undefined
  const { isOwnFoundUnpaid, ...hour } = await readHour(db, intentId)
  return {
    ...hour,
    payee: { accountId, handle },
    amountMinor: row.amountMinor,
    askedMinor: row.askedMinor,
    completedAt: row.disposition === 'merchant' ? (row.settledAt ?? undefined) : undefined,
    attempt: attemptOf(row, isOwnFoundUnpaid),
  }
}

/** What is known of the attempts of a phone to pay a handle, in the hour up to one of them and with it. */
async function readHour(db: Database, intentId: string): Promise<Hour> {
  const [hour] = await db.$queryRaw<[Hour]>`
    SELECT count(*) FILTER (WHERE i.status IN ('failed', 'expired'))::int AS "failedAttempts",
      bool_or(may_have_paid(i)) AS "mayHavePaid",
      bool_or(is_found_unpaid(i)) AS "isFoundUnpaid",
      bool_or(is_found_unpaid(i)) FILTER (WHERE i.id = own.id) AS "isOwnFoundUnpaid",
      (array_agg(i.rail ORDER BY i.created_at DESC) FILTER (WHERE is_denied_by_answers(i)))[1] AS "deniedRail"
    FROM intents own JOIN intents i ON i.id = own.id OR i.phone = own.phone AND i.handle = own.handle
      AND i.created_at > own.created_at - interval '1 hour' AND i.created_at <= own.created_at
    WHERE own.id = ${intentId}`
  return hour
}

/** The words are those that a trigger of the database lets in. */
function attemptOf(
  row: IntentRow & Parameters<typeof openPromptOf>[0],
  isFoundUnpaid: boolean,
): Attempt {
  const reportedAt = row.settledAt === null && !isFoundUnpaid ? row.reportedAt : null
  return {
    intentId: row.id,
    status: row.status as IntentStatus,
    rail: row.rail as Rail,
    phone: row.phone ?? undefined,
    cause: (row.cause as FailureCause | null) ?? undefined,
    startedAt: row.createdAt,
    prompt: openPromptOf(row),
    reportedAt: reportedAt ?? undefined,
  }
}
