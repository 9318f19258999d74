import {
  answerStrength,
  namedMax,
  type ReceiptGroup,
  type KnownReads,
  statedProviders,
} from '../rules/reconciliation'
import {
  isUnposted,
  overdueAfterSeconds,
  type ReportFacts,
} from '../../reports/rules/payment-report'
import type { Instant } from '../../evidence/rules/state'
import { Prisma } from '../../database/generated/client'
import { awaitedReceipt, factNames, signedFacts } from '../../reports/store/list-reports'
import { micros, timestamp } from '../../database/transaction'
import { type ComparedSide, type Slice, slicesOf } from '../rules/slices'

/** A connection that reads, or a transaction on it. */
export type Reader = Pick<Prisma.TransactionClient, '$queryRaw'>

export interface LoadedReads extends KnownReads {
  readonly now: Instant
  /** The providers at which this ledger has a float. */
  readonly providers: readonly string[]
}

/**
 * Loads the readings of statements that end after an instant, or after a time so many seconds ago; of an old day only those
 * that begin before its end (`until`), because all later ones are those of years.
 */
export async function loadReads(
  db: Reader,
  since: { readonly at: Instant; readonly until?: Instant } | { readonly secondsAgo: number },
): Promise<LoadedReads> {
  const from =
    'at' in since
      ? Prisma.sql`${timestamp(since.at)}::timestamptz`
      : Prisma.sql`clock_timestamp() - make_interval(secs => ${since.secondsAgo}::float8)`
  const until = 'at' in since && since.until !== undefined ? timestamp(since.until) : 'infinity'
  const [loaded] = await db.$queryRaw<[LoadedReads]>`
    WITH terms AS MATERIALIZED (SELECT clock_timestamp() AS now, ${from} AS from_at)
    SELECT ${Prisma.raw(micros('terms.now'))} AS now, ${Prisma.raw(micros('d.created_at'))} AS begun,
      ARRAY(SELECT substr(a.id, 7) FROM accounts a WHERE a.id LIKE 'float:%' ORDER BY 1) AS providers,
      coalesce((
        SELECT jsonb_agg(jsonb_build_object('provider', r.provider,
          'from', ${Prisma.raw(micros('r.from_at'))}, 'until', ${Prisma.raw(micros('r.until_at'))}))
        FROM statement_reads r WHERE r.provider = ANY (${statedProviders}::text[]) AND r.until_at > terms.from_at
          AND r.from_at <= ${until}::timestamptz
      ), '[]') AS reads
    FROM terms, deployment d`
  return loaded
}

/** Reads every receipt that either side has from an instant on, an hour at a time: an SQL statement may take 30 s. */
export async function loadReceipts(
  db: Reader,
  from: Instant,
  sides: readonly ComparedSide[],
): Promise<ReceiptGroup[]> {
  const groups = [...(await loadReported(db, from, sides))]
  for (const slice of slicesOf(from, sides)) groups.push(...(await loadSlice(db, slice)))
  return groups
}

/** Reads every receipt that either side has in a slice, in groups of those that are alike. */
export async function loadSlice(db: Reader, slice: Slice): Promise<ReceiptGroup[]> {
  return db.$queryRaw<ReceiptGroup[]>`
    ${knownReceipts(slice)}
    SELECT provider, source, answered AS "isAnswered", frozen AS "isFrozen", back AS "isGivenBack", unread AS "isUnread",
      count(*)::int AS receipts, sum(stated)::bigint AS "statedMinor", sum(posted)::bigint AS "postedMinor",
      coalesce((array_agg(receipt ORDER BY receipt COLLATE "C") FILTER (WHERE ${isNotable}))[1:${namedMax}::int], '{}') AS names
    FROM known GROUP BY 1, 2, 3, 4, 5, 6, stated - posted`
}

/** SQL of whether a receipt is named in the result: nearly all receipts are even, and these are only counted. */
export const isNotable = Prisma.sql`(frozen OR NOT answered AND stated IS DISTINCT FROM posted)`

/**
 * SQL that begins with a table `known` of every receipt that either side has in a slice. A provider without a statement
 * has a receipt if it named the receipt in an answer to our status query.
 */
export function knownReceipts({ from, until, sides }: Slice): Prisma.Sql {
  const fromAt = Prisma.sql`${timestamp(from)}::timestamptz`
  const lastAt = Prisma.sql`${timestamp(until)}::timestamptz`
  return Prisma.sql`
    WITH side AS MATERIALIZED (${sidesOf(sides)}), journal AS (
      SELECT split_part(t.event_key, ':', 2) AS provider, split_part(t.event_key, ':', 3) AS receipt, t.event_at, t.minor
      FROM transfers t WHERE t.event_key LIKE 'receipt:%' AND t.event_at >= ${fromAt} AND t.event_at < ${lastAt}
    ), unstated AS (
      SELECT j.provider, j.receipt, sum(j.minor)::bigint AS posted, min(j.event_at) AS at FROM journal j
      WHERE j.provider IN (SELECT provider FROM side)
        AND NOT EXISTS (SELECT FROM statement_rows s WHERE s.provider = j.provider AND s.receipt = j.receipt)
      GROUP BY j.provider, j.receipt
    ), found AS (
      SELECT 'statement' AS source, s.provider, s.receipt, s.paid_at AS at, false AS answered, s.minor AS stated, (
        SELECT sum(t.minor)::bigint FROM transfers t WHERE t.event_key = 'receipt:' || s.provider || ':' || s.receipt
      ) AS posted
      FROM statement_rows s WHERE s.paid_at >= ${fromAt} AND s.paid_at < ${lastAt}
      UNION ALL
      SELECT 'journal', u.provider, u.receipt, u.at, u.provider <> ALL (${[...statedProviders]}::text[]) AND EXISTS (
        -- Fetched messages have no digest, and OFFSET 0 makes the plan use the index of such messages for each payment.
        SELECT FROM intents i CROSS JOIN LATERAL (
          SELECT FROM provider_messages m WHERE m.intent_id = i.id AND m.digest IS NULL
            AND m.receipt = u.receipt AND m.strength = ${answerStrength} OFFSET 0
        ) answer WHERE i.receipt = u.receipt
      ), NULL, u.posted
      FROM unstated u
    ), known AS (
      SELECT f.*, f.at >= side.read_until AS unread, EXISTS (
        SELECT FROM transfers t WHERE t.event_key = 'frozen:' || f.provider || ':' || f.receipt
      ) AS frozen, EXISTS (
        SELECT FROM transfers t WHERE t.event_key = 'refunded:' || f.provider || ':' || f.receipt
      ) AS back
      FROM found f JOIN side ON side.provider = f.provider AND f.at < side.until_at
    )`
}

/** Reads the overdue reports of payment whose receipt is in no statement and whose money is not posted. */
export async function loadReported(
  db: Reader,
  from: Instant,
  sides: readonly ComparedSide[],
): Promise<ReceiptGroup[]> {
  const awaited = Prisma.raw(awaitedReceipt)
  const groups = await db.$queryRaw<(ReceiptGroup & ReportFacts)[]>`
    WITH side AS MATERIALIZED (${sidesOf(sides)}), facts AS (
      SELECT r.provider, coalesce(nullif(${awaited}, ''), r.intent_id) AS receipt, r.reported_at AS at, r.minor AS stated,
        side.read_until, ${signedFacts},
        EXISTS (SELECT FROM transfers t WHERE t.event_key = 'frozen:' || r.provider || ':' || ${awaited}) AS frozen,
        EXISTS (SELECT FROM transfers t WHERE t.event_key = 'refunded:' || r.provider || ':' || ${awaited}) AS back
      FROM payment_reports r JOIN side ON side.provider = r.provider AND r.reported_at < side.until_at
      WHERE r.reported_at >= ${timestamp(from)}::timestamptz
        AND r.reported_at < (SELECT clock_timestamp()) - make_interval(secs => ${overdueAfterSeconds}::float8)
        AND NOT EXISTS (SELECT FROM statement_rows s WHERE s.provider = r.provider AND s.receipt = ${awaited})
    )
    SELECT provider, 'report' AS source, false AS "isAnswered", frozen AS "isFrozen", back AS "isGivenBack",
      at >= read_until AS "isUnread", count(*)::int AS receipts, sum(stated)::bigint AS "statedMinor",
      NULL::bigint AS "postedMinor", (array_agg(receipt ORDER BY receipt COLLATE "C"))[1:${namedMax}::int] AS names,
      ${factNames}
    FROM facts GROUP BY provider, frozen, back, at >= read_until, ${factNames}`
  return groups.filter(isUnposted)
}

function sidesOf(sides: readonly ComparedSide[]): Prisma.Sql {
  return Prisma.sql`SELECT * FROM unnest(
        ${sides.map(({ provider }) => provider)}::text[],
        ${sides.map(({ readUntil }) => timestamp(readUntil))}::timestamptz[],
        ${sides.map(({ until }) => timestamp(until))}::timestamptz[]
      ) one (provider, read_until, until_at)`
}
