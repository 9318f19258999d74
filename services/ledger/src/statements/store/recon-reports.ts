import {
  compareReceipts,
  boundsOf,
  dueDays,
  isDue,
  isReadTo,
  isUnread,
  type KeptRead,
  recentSeconds,
  youngSeconds,
  type DayReport,
  makeReports,
  statementReadUntil,
} from '../rules/reconciliation'
import { Fault } from '@malipo/kernel/errors'
import { type Instant, later } from '../../evidence/rules/state'
import type { Database } from '../../database/database'
import { Prisma } from '../../database/generated/client'
import { json, micros, timestamp } from '../../database/transaction'
import { endOf, loadFloats, restSeconds } from './load-floats'
import { type ComparedSlice, dueSlices, nextHour, type Slice, slicesOf } from '../rules/slices'
import { loadReads, loadReceipts, loadReported, loadSlice, type Reader } from './load-receipts'

export interface ReconReport extends Omit<DayReport, 'readUntil'> {
  /** `2026-11-20`, in East African Time. */
  readonly day: string
  readonly madeAt: Date
  /** Until when the provider's records are known without a gap, at most the end of the day. */
  readonly readUntil: Date
  /** The provider's records are known to the end of the day, or to a quarter of an hour before the report was made. */
  readonly isRead: boolean
}

/** The longest wait for a connection. It comes between the check for waiting commits and the snapshot. */
const connectionMs = 35_000

/**
 * The reports of a day are read from one snapshot, and dated by it, so what they lack was posted at most `restSeconds`
 * before their date. Each SQL statement may take a part of this timeout.
 */
const oneSnapshot = {
  isolationLevel: 'RepeatableRead',
  timeout: 120_000,
  maxWait: connectionMs,
} as const

/**
 * The oldest transaction that may be uncommitted at the check. At the snapshot it is at most `restSeconds` old, with 20
 * s to spare.
 */
const commitSeconds = restSeconds - connectionMs / 1_000 - 20

/** A comparison may take this long. The other steps of reconciling wait for it. */
const turnMs = 60_000

/** SQL of a report that was made when its day was over. */
const isWhole = `r.made_at >= ${endOf('r.day')}`

/**
 * Refuses a report while a commit waits, such as for a standby that is away. The report would lack the money of that
 * commit, and so would the floats of all later days. Fault: unavailable.
 */
async function refuseWhileCommitsWait(db: Database): Promise<void> {
  const [row] = await db.$queryRaw<[{ isWaiting: boolean }]>`
    SELECT committed_until() < (SELECT clock_timestamp()) - make_interval(secs => ${commitSeconds}::float8) AS "isWaiting"`
  if (row.isWaiting) throw new Fault('unavailable', {}, new Error('a commit waits for its standby'))
}

/** Makes and stores the report of a day. Fault: unavailable. */
export async function reconcileDay(db: Database, day: string): Promise<ReconReport[]> {
  await refuseWhileCommitsWait(db)
  return db.$transaction(async (tx) => {
    const { reports, now, until } = await makeDay(tx, day)
    await storeReports(tx, day, { reports, now })
    return reports.map(({ readUntil, ...report }) => ({
      ...{ ...report, day, madeAt: new Date(now / 1_000), readUntil: new Date(readUntil / 1_000) },
      isRead: isReadTo(readUntil, until, now),
    }))
  }, oneSnapshot)
}

async function makeDay(tx: Prisma.TransactionClient, day: string) {
  const bounds = boundsOf(day)
  const { now, providers, ...known } = await loadReads(tx, { at: bounds.from, until: bounds.until })
  const sides = providers.map((provider) => ({
    ...{ provider, until: bounds.until },
    readUntil: statementReadUntil(known, { provider, ...bounds }),
  }))
  const groups = await loadReceipts(tx, bounds.from, sides)
  const floats = await loadFloats(tx, providers, bounds)
  const days = sides.flatMap((side, place) => {
    const float = floats[place]
    return float === undefined ? [] : [{ ...side, float }]
  })
  return { reports: makeReports(days, groups), now, until: bounds.until }
}

/**
 * Returns whether the reports were stored. If `isAutomatic`, nothing is stored where the day has reports from after its
 * end that know the providers' records at least as far.
 */
async function storeReports(
  tx: Prisma.TransactionClient,
  day: string,
  { reports, now }: { readonly reports: readonly DayReport[]; readonly now: Instant },
  isAutomatic = false,
): Promise<boolean> {
  const given = reports.map(({ readUntil, ...report }) => ({
    ...report,
    readUntil: timestamp(readUntil),
  }))
  const kept = await tx.$executeRaw`
    INSERT INTO recon_reports (
      day, provider, made_at, provider_receipts, provider_minor, journal_receipts, journal_minor, refunded_minor,
      float_minor, difference_minor, differing, read_until, unknown_receipts, unknown_minor
    )
    SELECT ${day}::date, g.provider, ${timestamp(now)}::timestamptz, g."providerReceipts", g."providerMinor", g."journalReceipts",
      g."journalMinor", g."refundedMinor", g."floatMinor", g."differenceMinor", g.differing, g."readUntil", g."unknownReceipts", g."unknownMinor"
    FROM jsonb_to_recordset(${json(given)}::jsonb) g (
      provider TEXT, "providerReceipts" INTEGER, "providerMinor" BIGINT, "journalReceipts" INTEGER, "journalMinor" BIGINT,
      "refundedMinor" BIGINT, "floatMinor" BIGINT, "differenceMinor" BIGINT, differing TEXT[], "readUntil" TIMESTAMPTZ,
      "unknownReceipts" INTEGER, "unknownMinor" BIGINT
    )
    -- The reports of a day are stored together, because later floats start from reports of one moment.
    WHERE NOT ${isAutomatic} OR EXISTS (
      SELECT FROM jsonb_to_recordset(${json(given)}::jsonb) k (provider TEXT, "readUntil" TIMESTAMPTZ)
      WHERE NOT EXISTS (
        SELECT FROM recon_reports r
        WHERE r.day = ${day}::date AND r.provider = k.provider AND ${Prisma.raw(isWhole)}
          AND coalesce(r.read_until >= k."readUntil", true)
      )
    )`
  return kept > 0
}

/** What is known of a due day once its report was made. */
type DueReport = Pick<
  ReconReport,
  'day' | 'provider' | 'differenceMinor' | 'readUntil' | 'unknownMinor'
>

/** The days whose reports could not be made, by this process: the one that was tried longest ago first. */
export type FailedDays = Set<string>

/**
 * Makes the report of the oldest due day, and again once the provider's word is known to its end. Returns the difference
 * of each provider if it was made now. A day whose report fails waits behind the others, or none of them would be made.
 */
export async function reconcileDueDay(
  db: Database,
  failed: FailedDays = new Set(),
): Promise<DueReport[]> {
  const due = await findDueDays(db)
  const day = due.find((one) => !failed.has(one)) ?? [...failed].find((one) => due.includes(one))
  if (day === undefined) return []
  await refuseWhileCommitsWait(db)
  failed.delete(day)
  return reportDueDay(db, day).catch((error: unknown) => {
    failed.add(day)
    throw error
  })
}

async function reportDueDay(db: Database, day: string): Promise<DueReport[]> {
  return db.$transaction(async (tx) => {
    if (!(await isAlone(tx))) return []
    const made = await makeDay(tx, day)
    if (!(await storeReports(tx, day, made, true))) return []
    return made.reports.map(({ provider, differenceMinor, readUntil, unknownMinor }) => ({
      ...{ day, provider, differenceMinor, readUntil: new Date(readUntil / 1_000), unknownMinor },
    }))
  }, oneSnapshot)
}

/** Whether no other ledger is making a report now: both would store one, as neither snapshot shows the other's. */
async function isAlone(tx: Prisma.TransactionClient): Promise<boolean> {
  const [row] = await tx.$queryRaw<[{ isAlone: boolean }]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended('recon report', 0)) AS "isAlone"`
  return row.isAlone
}

async function findDueDays(db: Database): Promise<string[]> {
  const [{ now, begun }] = await db.$queryRaw<[{ now: Instant; begun: Instant }]>`
    SELECT ${Prisma.raw(micros('clock_timestamp()'))} AS now, ${Prisma.raw(micros('created_at'))} AS begun FROM deployment`
  const days = dueDays(now, begun)
  const kept = await db.$queryRaw<KeptRead[]>`
    SELECT to_char(r.day, 'YYYY-MM-DD') AS day, r.provider,
      ${Prisma.raw(micros(`max(coalesce(r.read_until, ${endOf('r.day')}))`))} AS "readUntil"
    FROM recon_reports r WHERE r.day = ANY (${days}::date[]) AND ${Prisma.raw(isWhole)} GROUP BY r.day, r.provider`
  const unread = days.find((day) => isUnread(day, kept))
  // The readings of a week are many, and matter only to a report that lacks some.
  const known =
    unread === undefined ? { begun, reads: [] } : await loadReads(db, { at: boundsOf(unread).from })
  return days.filter((day) => isDue(day, kept, known))
}

/**
 * The slices of the last two days as they were last compared, by their beginning; the one compared longest ago first.
 */
export type ComparedSlices = Map<Instant, ComparedSlice>

/**
 * Returns the difference between the two sides over two days, as far as the provider's records are known and without
 * payments too young to have been reported; and the seconds since M-Pesa's statement was last read. Only slices that
 * are due are compared, and kept in `compared`, so only the first call reads all of the two days. Throws when it takes
 * longer than `limitMs`; what was compared is kept, and the next call continues.
 */
export async function readDifference(
  db: Reader,
  compared: ComparedSlices,
  limitMs = turnMs,
): Promise<{ readonly recon_diff_minor: number; readonly statement_age_s: number }> {
  const { now, providers, ...known } = await loadReads(db, { secondsAgo: recentSeconds })
  const [from, until] = [nextHour(later(now, -recentSeconds)), later(now, -youngSeconds)]
  const sides = providers.map((provider) => {
    const readUntil = statementReadUntil(known, { provider, from, until })
    return { provider, readUntil, until: readUntil }
  })
  await compareDue(db, { slices: slicesOf(from, sides), compared, limitMs })
  const { differenceMinor: reportedMinor } = compareReceipts(await loadReported(db, from, sides))
  const differenceMinor = [...compared.values()].reduce(
    (all, slice) => all + slice.differenceMinor,
    reportedMinor,
  )
  const [row] = await db.$queryRaw<[{ recon_diff_minor: number; statement_age_s: number }]>`
    SELECT ${differenceMinor}::bigint::float8 AS recon_diff_minor, age_seconds(max(read_at)) AS statement_age_s
    FROM statement_reads WHERE provider = 'mpesa'`
  return row
}

interface Comparing {
  readonly slices: readonly Slice[]
  readonly compared: ComparedSlices
  readonly limitMs: number
}

/** Compares the slices that are due, and forgets those that are older than two days. */
async function compareDue(db: Reader, { slices, compared, limitMs }: Comparing): Promise<void> {
  const beganAt = performance.now()
  const wanted = new Set(slices.map(({ from }) => from))
  for (const from of compared.keys()) if (!wanted.has(from)) compared.delete(from)
  for (const [place, slice] of dueSlices(slices, [...compared.values()]).entries()) {
    if (place > 0 && performance.now() - beganAt > limitMs) {
      throw new Error(`not all of two days was compared within ${String(limitMs)} ms`)
    }
    const { differenceMinor } = compareReceipts(await loadSlice(db, slice))
    compared.delete(slice.from)
    compared.set(slice.from, { ...slice, differenceMinor })
  }
}

/**
 * The seconds from the time up to which M-Pesa's statement was read until now; if it was never read, from the time at
 * which the ledger was set up.
 */
export async function readStatementLag(db: Reader): Promise<number> {
  const [row] = await db.$queryRaw<[{ lag_seconds: number }]>`
    SELECT age_seconds(coalesce((SELECT max(until_at) FROM statement_reads WHERE provider = 'mpesa'), created_at)) AS lag_seconds
    FROM deployment`
  return row.lag_seconds
}

/**
 * The end of the newest day with a report from after its end, in seconds since 1970; without one, the time at which the
 * ledger was set up.
 */
export async function readReportedDay(db: Database): Promise<number> {
  const [row] = await db.$queryRaw<[{ ended_at: number }]>`
    SELECT extract(epoch FROM coalesce(
      (SELECT max(${Prisma.raw(endOf('r.day'))}) FROM recon_reports r WHERE ${Prisma.raw(isWhole)}), d.created_at
    ))::float8 AS ended_at FROM deployment d`
  return row.ended_at
}
