import type { Rail } from '@malipo/kernel/countries'
import type { FailureCause } from '@malipo/kernel/failure-cause'
import type { Minor } from '@malipo/kernel/money'
import { walletAccount } from '../../journal/rules/postings'
import type { Database } from '../../database/database'
import { Prisma } from '../../database/generated/client'
import { providerOfRail } from '../../journal/store/receipts'
import { isDenialRecent, mayHavePaid } from './checkouts'

export interface CountQuestion {
  readonly accountId: string
  /** How many local days are counted, today included. */
  readonly days: number
  readonly timeZone: string
}

/** Payments, or attempts that took no money, of one local day, rail and cause. */
export interface PaymentCount {
  readonly day: string
  readonly rail: Rail
  /** Null for attempts that took no money. */
  readonly paidMinor: Minor | null
  readonly cause: FailureCause | null
  /** The money of these attempts may still come. */
  readonly mayHavePaid: boolean
  readonly count: number
}

export interface PaymentCounts {
  /** The first local day that is counted completely. */
  readonly firstDay: string
  readonly lastDay: string
  readonly counts: readonly PaymentCount[]
}

interface FoundCounts extends Omit<PaymentCounts, 'counts'> {
  readonly counts: readonly (Omit<PaymentCount, 'paidMinor'> & {
    readonly paidMinor: string | null
  })[]
}

/** The most transfers, checkouts, and attempts for handles that are read: so many take a fraction of a second. */
const countedMax = 20_000

/**
 * Counts by local day what was paid into a wallet, by the journal, and the attempts that ended without money. Of more
 * than `max` rows it counts the newest, and begins with the first day of which it has all rows.
 */
export async function countPayments(
  db: Database,
  { accountId, days, timeZone }: CountQuestion,
  max = countedMax,
): Promise<PaymentCounts> {
  const dayOf = (at: string) =>
    Prisma.sql`to_char((${Prisma.raw(at)}) AT TIME ZONE ${timeZone}, 'YYYY-MM-DD')`
  const [found] = await db.$queryRaw<[FoundCounts]>`
    WITH span AS MATERIALIZED (
      SELECT date_trunc('day', now() AT TIME ZONE ${timeZone}) AT TIME ZONE ${timeZone}
        - make_interval(days => ${days - 1}::int) AS since
    ), ${newest(accountId, max)}, first AS MATERIALIZED (
      SELECT greatest((SELECT ${dayOf('since')} FROM span), max(${dayOf(`at + interval '1 day'`)})) AS day FROM (
        SELECT min(at) AS at FROM entries HAVING count(*) > ${max}
        UNION ALL SELECT min(at) + interval '1 day' FROM checkouts_made HAVING count(*) > ${max}
        UNION ALL SELECT min(at) + interval '1 day' FROM handle_attempts HAVING count(*) > ${max}
      ) beginnings
    ), ${paidAndUnpaid(accountId)}, counts AS (
      SELECT ${dayOf('at')} AS day, rail, NULL AS cause, sum(minor)::text AS "paidMinor", false AS "mayHavePaid", count(*)::int
      FROM paid GROUP BY 1, 2
      UNION ALL SELECT ${dayOf('at')}, rail, cause, NULL, may_have_paid, count(*)::int FROM unpaid GROUP BY 1, 2, 3, 5
    )
    SELECT first.day AS "firstDay", ${dayOf('now()')} AS "lastDay",
      (SELECT coalesce(json_agg(c ORDER BY c.day, c.rail, c.cause), '[]') FROM counts c WHERE c.day >= first.day) AS counts
    FROM first`
  const { counts } = found
  return {
    ...found,
    counts: counts.map((one) => ({
      ...one,
      paidMinor: one.paidMinor === null ? null : BigInt(one.paidMinor),
    })),
  }
}

const attemptColumns = Prisma.sql`id, ended_at, status, event, rail, cause, submitted_at, reported_at, receipt_wanted`

/** The newest rows of each table since the span's beginning, one more than `max` when there are more. */
function newest(accountId: string, max: number): Prisma.Sql {
  const since = Prisma.sql`(SELECT since - interval '1 day' FROM span)`
  return Prisma.sql`entries AS MATERIALIZED (
      SELECT event_key, minor, created_at AS at FROM transfers t
      WHERE credit = ${walletAccount(accountId)} AND credit LIKE 'wallet:%' AND created_at >= (SELECT since FROM span)
      ORDER BY created_at DESC LIMIT ${max + 1}
    ), checkouts_made AS MATERIALIZED (
      -- An attempt ends within a day after its checkout was made.
      SELECT id, created_at AS at FROM checkouts WHERE account_id = ${accountId} AND created_at >= ${since}
      ORDER BY created_at DESC, id DESC LIMIT ${max + 1}
    ), handle_attempts AS MATERIALIZED (
      SELECT created_at AS at, ${attemptColumns} FROM intents
      WHERE account_id = ${accountId} AND created_at >= ${since}
      ORDER BY created_at DESC LIMIT ${max + 1}
    )`
}

/** The payments among the rows of `newest`, and the attempts that ended without money. */
function paidAndUnpaid(accountId: string): Prisma.Sql {
  const account = walletAccount(accountId)
  return Prisma.sql`paid AS (
      SELECT e.at, coalesce(i.rail, money.provider) AS rail, e.minor FROM entries e
      CROSS JOIN LATERAL (
        SELECT split_part(e.event_key, ':', 1) AS kind, split_part(e.event_key, ':', 2) AS provider,
          split_part(e.event_key, ':', 3) AS receipt, subject_of(e.event_key) AS subject
      ) money
      -- LIMIT makes the plan look up each transfer by its key, also when it was made while the journal was small.
      LEFT JOIN LATERAL (
        SELECT true AS is_frozen FROM transfers WHERE event_key = 'frozen:' || money.subject AND debit = ${account} LIMIT 1
      ) frozen ON true
      LEFT JOIN LATERAL (
        SELECT true AS is_back FROM transfers WHERE event_key = 'placed:' || money.subject AND credit = ${account} LIMIT 1
      ) back ON frozen.is_frozen
      LEFT JOIN LATERAL (
        SELECT rail FROM intents
        WHERE receipt = money.receipt AND receipt IS NOT NULL AND ${Prisma.raw(providerOfRail('rail'))} = money.provider
        ORDER BY disposition = 'merchant' DESC LIMIT 1
      ) i ON true
      -- Frozen money counts as a payment again once it is back. Its return does not count as another one.
      WHERE CASE money.kind
        WHEN 'receipt' THEN frozen.is_frozen IS NULL OR back.is_back IS TRUE
        WHEN 'placed' THEN frozen.is_frozen IS NULL
        ELSE false
      END
    ), unpaid AS (
      SELECT ended_at AS at, rail, cause, (${Prisma.raw(mayHavePaid)} OR ${Prisma.raw(isDenialRecent)}) AS may_have_paid FROM (
        SELECT a.* FROM checkouts_made c CROSS JOIN LATERAL (
          -- LIMIT makes the plan use the index for each checkout, and bounds one that is tried again and again.
          SELECT ${attemptColumns} FROM intents
          WHERE checkout_id = c.id ORDER BY created_at DESC LIMIT 50
        ) a
        UNION ALL SELECT ${attemptColumns} FROM handle_attempts
      ) i
      WHERE status IN ('failed', 'expired')
    )`
}
