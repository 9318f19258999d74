import type { Minor } from '@malipo/kernel/money'
import type { FloatMoves } from '../rules/reconciliation'
import type { Instant } from '../../evidence/rules/state'
import { Prisma } from '../../database/generated/client'
import { micros, timestamp } from '../../database/transaction'
import type { Reader } from './load-receipts'

/** SQL of the end of a day, in East African Time. */
export function endOf(day: string): string {
  return `((${day} + 1)::timestamp AT TIME ZONE 'Africa/Nairobi')`
}

/** A report may lack money that was posted this shortly before it: the posting may not have been committed yet. */
export const restSeconds = 180

/** At most this many reports, the newest first, are tried as the base of a sum. */
const basesMax = 50

/** A stored report of a day, from whose floats a later sum starts. */
interface Base {
  /** The end of its day. */
  readonly until: Instant
  readonly madeAt: Instant
  /** The floats by provider. A provider that is missing had none yet. */
  readonly floats: Readonly<Record<string, string>>
}

/** The base before all postings: a sum from here reads the whole journal. */
const beginning: Base = { until: 0, madeAt: 0, floats: {} }

/**
 * Loads the floats of providers at the end of a day, and what went out of them within the day, in the order of the
 * providers. The sum starts at the newest report of an earlier day, and adds what is dated after that day or was posted
 * after that report.
 */
export async function loadFloats(
  db: Reader,
  providers: readonly string[],
  { from, until }: { readonly from: Instant; readonly until: Instant },
): Promise<FloatMoves[]> {
  const base = await findBase(db, from)
  const baseAt = Prisma.sql`${timestamp(base.until)}::timestamptz`
  const rows = await db.$queryRaw<Record<'refundedMinor' | 'movedMinor', Minor>[]>`
    WITH moved AS (
      SELECT t.debit, t.credit, t.minor, t.event_at FROM transfers t
      WHERE t.event_at >= ${baseAt} AND t.event_at < ${timestamp(until)}::timestamptz
      UNION ALL
      -- Money that was posted after the report, and is dated on its day or earlier.
      SELECT t.debit, t.credit, t.minor, t.event_at FROM transfers t
      WHERE t.created_at > ${timestamp(base.madeAt)}::timestamptz AND t.event_at < ${baseAt}
    ), summed AS (
      SELECT side.account, sum(side.minor) AS moved,
        -sum(side.minor) FILTER (WHERE side.minor < 0 AND m.event_at >= ${timestamp(from)}::timestamptz) AS refunded
      FROM moved m CROSS JOIN LATERAL (VALUES (m.debit, m.minor), (m.credit, -m.minor)) side (account, minor)
      WHERE side.account LIKE 'float:%' GROUP BY side.account
    )
    SELECT coalesce(s.refunded, 0)::bigint AS "refundedMinor", coalesce(s.moved, 0)::bigint AS "movedMinor"
    FROM unnest(${[...providers]}::text[]) WITH ORDINALITY one (provider, place)
    LEFT JOIN summed s ON s.account = 'float:' || one.provider ORDER BY one.place`
  return rows.map((row, place) => ({
    ...row,
    formerMinor: BigInt(base.floats[providers[place] ?? ''] ?? 0),
  }))
}

/** The newest report of a day that ended by `until`, passing over reports during which money was being posted. */
async function findBase(db: Reader, until: Instant): Promise<Base> {
  const bases = await db.$queryRaw<Base[]>`
    SELECT ${Prisma.raw(micros(endOf('r.day')))} AS until, ${Prisma.raw(micros('r.made_at'))} AS "madeAt",
      jsonb_object_agg(r.provider, r.float_minor::text) AS floats
    FROM recon_reports r WHERE ${Prisma.raw(endOf('r.day'))} <= ${timestamp(until)}::timestamptz
    GROUP BY r.day, r.made_at ORDER BY r.day DESC, r.made_at DESC LIMIT ${basesMax}::int`
  for (const base of bases) {
    if (!(await isUncertain(db, base))) return base
  }
  return beginning
}

/** Whether money was posted so shortly before a report that the report may have it or not. */
async function isUncertain(db: Reader, { until, madeAt }: Base): Promise<boolean> {
  const madeAtSql = Prisma.sql`${timestamp(madeAt)}::timestamptz`
  const found = await db.$queryRaw<object[]>`
    SELECT t.leg FROM transfers t
    WHERE t.created_at > ${madeAtSql} - make_interval(secs => ${restSeconds}::float8) AND t.created_at <= ${madeAtSql}
      AND t.event_at < ${timestamp(until)}::timestamptz AND (t.debit LIKE 'float:%' OR t.credit LIKE 'float:%') LIMIT 1`
  return found.length > 0
}
