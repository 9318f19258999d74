import type { Rail } from '@malipo/kernel/countries'
import { Prisma } from '../../database/generated/client'
import { providerOfRail } from '../../journal/store/receipts'
import { timeBefore } from './time-before'

/** How a rail did in the last minutes. Times are in milliseconds. */
export interface RailHealth {
  readonly rail: Rail
  readonly begun: number
  readonly completed: number
  readonly failed: number
  readonly expired: number
  readonly open: number
  readonly refused: number
  readonly unanswered: number
  readonly callP50: number | null
  readonly callP95: number | null
  readonly settleP50: number | null
  readonly settleP95: number | null
  readonly lastMessageAt: Date | null
  readonly statementReadUntil: Date | null
  readonly causes: readonly string[]
}

const causesMax = 5

/** Each of `rails`, also one that was not used. An attempt counts for the rail of its intent. */
export async function readRailHealth(
  db: Prisma.TransactionClient,
  rails: readonly Rail[],
  minutes: number,
): Promise<RailHealth[]> {
  const since = await timeBefore(db, 60 * minutes)
  return db.$queryRaw<RailHealth[]>`
    WITH attempt AS MATERIALIZED (
      SELECT i.rail, i.status, i.cause, i.submitted_at, i.ended_at, w.outcome, w.began_at, w.ended_at AS answered_at
      FROM intents i LEFT JOIN wire_attempts w ON w.intent_id = i.id WHERE i.created_at > ${since}::text::timestamptz
    ), message AS MATERIALIZED (
      SELECT rail, max(received_at) AS at FROM provider_messages WHERE received_at > ${since}::text::timestamptz GROUP BY rail
    ), counted AS (
      SELECT rail, count(*)::int AS begun,
        (count(*) FILTER (WHERE status IN ('completed', 'reversed')))::int AS completed,
        (count(*) FILTER (WHERE status = 'failed'))::int AS failed,
        (count(*) FILTER (WHERE status = 'expired'))::int AS expired,
        (count(*) FILTER (WHERE ended_at IS NULL))::int AS open,
        (count(*) FILTER (WHERE outcome = 'refused'))::int AS refused,
        (count(*) FILTER (WHERE outcome = 'unknown'))::int AS unanswered,
        ${percentile(0.5, Prisma.sql`answered_at - began_at`)} AS call_p50,
        ${percentile(0.95, Prisma.sql`answered_at - began_at`)} AS call_p95,
        ${percentile(0.5, Prisma.sql`ended_at - submitted_at`)} AS settle_p50,
        ${percentile(0.95, Prisma.sql`ended_at - submitted_at`)} AS settle_p95
      FROM attempt GROUP BY rail
    ), cause AS (
      SELECT rail, array_agg(cause || ' ' || times ORDER BY times DESC, cause) AS causes FROM (
        SELECT rail, cause, count(*) AS times, row_number() OVER (PARTITION BY rail ORDER BY count(*) DESC, cause) AS place
        FROM attempt WHERE cause IS NOT NULL GROUP BY rail, cause
      ) ranked WHERE place <= ${causesMax} GROUP BY rail
    )
    SELECT on_here.rail, coalesce(begun, 0) AS begun, coalesce(completed, 0) AS completed, coalesce(failed, 0) AS failed,
      coalesce(expired, 0) AS expired, coalesce(open, 0) AS open, coalesce(refused, 0) AS refused,
      coalesce(unanswered, 0) AS unanswered, call_p50 AS "callP50", call_p95 AS "callP95", settle_p50 AS "settleP50",
      settle_p95 AS "settleP95", message.at AS "lastMessageAt", coalesce(causes, '{}') AS causes,
      (SELECT max(until_at) FROM statement_reads r WHERE r.provider = ${Prisma.raw(providerOfRail('on_here.rail'))})
        AS "statementReadUntil"
    FROM unnest(${[...rails]}::text[]) WITH ORDINALITY on_here (rail, place)
    LEFT JOIN counted ON counted.rail = on_here.rail
    LEFT JOIN message ON message.rail = on_here.rail
    LEFT JOIN cause ON cause.rail = on_here.rail
    ORDER BY on_here.place`
}

/** SQL of a percentile of a span, in milliseconds; null where nothing was measured. */
function percentile(share: number, span: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(percentile_cont(${share}::float8) WITHIN GROUP (ORDER BY extract(epoch FROM ${span}) * 1000))::int`
}
