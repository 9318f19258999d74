import { railAbilities } from '@malipo/kernel/rail-abilities'
import { providerOf } from '../../journal/rules/postings'
import type { Rail } from '@malipo/kernel/countries'
import type { Minor } from '@malipo/kernel/money'
import { type Instant, later } from '../../evidence/rules/state'
import type { Strength } from '../../evidence/rules/evidence'

const daySeconds = 86_400
const eastAfricaSeconds = 3 * 3_600

/** A payment just before midnight has an hour to be reported. */
const reportedAfterSeconds = 3_600

/** A provider may not have reported a payment younger than this. */
export const youngSeconds = 900

/** The running comparison covers this much time up to now, from the first full hour on. */
export const recentSeconds = 47 * 3_600

/**
 * Whether a text is a day of the calendar, such as `2026-11-20`. Date.parse alone would take 30 February for 2 March.
 */
export function isDay(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

/** The beginning and the end of a day such as `2026-11-20`, in East African Time. */
export function boundsOf(day: string): { readonly from: Instant; readonly until: Instant } {
  const from = later(Date.parse(`${day}T00:00:00Z`) * 1_000, -eastAfricaSeconds)
  return { from, until: later(from, daySeconds) }
}

/** If no ledger ran at the end of a day, its report is still made up to this many days later. */
const dueDaysMax = 7

/**
 * The days whose reports are due, the oldest first: yesterday, or within the first hour of a day still the day before
 * it, and the days before that since the ledger began.
 */
export function dueDays(now: Instant, begun: Instant): string[] {
  const newest = later(now, eastAfricaSeconds - reportedAfterSeconds - daySeconds)
  return Array.from({ length: dueDaysMax }, (_, ago) => dayOf(later(newest, -ago * daySeconds)))
    .filter((day, ago) => ago === 0 || boundsOf(day).until > begun)
    .reverse()
}

function dayOf(at: Instant): string {
  return new Date(at / 1_000).toISOString().slice(0, 10)
}

/** Whether a provider's records are known to the end of a day, or to a quarter of an hour ago. */
export function isReadTo(readUntil: Instant, dayEnd: Instant, now: Instant): boolean {
  return readUntil >= Math.min(dayEnd, later(now, -youngSeconds))
}

/** A stretch of time for which the statement was read to the end. */
export interface StatementRead {
  readonly provider: string
  readonly from: Instant
  readonly until: Instant
}

/** Providers with a statement. For any other provider, its answers to our status queries are its records. */
export const statedProviders: readonly string[] = [
  ...new Set(
    (Object.keys(railAbilities) as Rail[])
      .filter((rail) => railAbilities[rail].hasStatement)
      .map((rail) => providerOf[rail]),
  ),
]

/** The readings that decide until when a provider's records are known. */
export interface KnownReads {
  /** When the ledger was set up: there was nothing to read before. */
  readonly begun: Instant
  /** The statement reads of all providers, in any order. */
  readonly reads: readonly StatementRead[]
}

/**
 * Until when a provider's records are known without a gap, from an instant on; always to the end without a statement.
 */
export function statementReadUntil(
  { begun, reads }: KnownReads,
  { provider, from, until }: StatementRead,
): Instant {
  if (!statedProviders.includes(provider)) return until
  let known = Math.max(from, begun)
  const own = reads.filter((read) => read.provider === provider)
  for (const read of own.sort((one, other) => one.from - other.from)) {
    if (read.from > known) break
    known = Math.max(known, read.until)
  }
  return Math.min(until, known)
}

/** Until when a provider's records were known when the stored report of a day was made. */
export interface KeptRead {
  readonly day: string
  readonly provider: string
  readonly readUntil: Instant
}

/** Whether the report of a day was made before a provider's word was known to its end. */
export function isUnread(day: string, kept: readonly KeptRead[]): boolean {
  const { until } = boundsOf(day)
  return kept.some((one) => one.day === day && one.readUntil < until)
}

/** Whether the report of a day is to be made: it is missing, or a provider's word is known to its end only now. */
export function isDue(day: string, kept: readonly KeptRead[], known: KnownReads): boolean {
  const bounds = boundsOf(day)
  const reported = kept.filter((one) => one.day === day)
  return (
    reported.length === 0 ||
    reported.some(
      ({ provider, readUntil }) =>
        readUntil < bounds.until &&
        statementReadUntil(known, { provider, ...bounds }) === bounds.until,
    )
  )
}

/** All that the comparison of a receipt, or of a group of receipts alike, depends on. */
export interface ReceiptFacts {
  /** In the statement; or in the journal and in no statement; or reported as paid, and in neither. */
  readonly source: 'statement' | 'journal' | 'report'
  /** The provider has answered that it was paid. Only for receipts of a provider without a statement. */
  readonly isAnswered: boolean
  readonly isFrozen: boolean
  /** The frozen money went back. */
  readonly isGivenBack: boolean
  /** It is dated after the time up to which the provider's records are known. */
  readonly isUnread: boolean
  /** The amount in the statement or the report, for a group the sum; null where neither has the receipt. */
  readonly statedMinor: Minor | null
  /** The amount in the journal, for a group the sum; null where the journal lacks the receipt. */
  readonly postedMinor: Minor | null
}

/** Receipts of one provider that are alike in all that the comparison depends on, and by how much their amounts differ. */
export interface ReceiptGroup extends ReceiptFacts {
  readonly provider: string
  readonly receipts: number
  /** The first of them, in order. */
  readonly names: readonly string[]
}

/** The provider's records against the journal. */
export interface Comparison {
  readonly providerReceipts: number
  readonly providerMinor: Minor
  readonly journalReceipts: number
  readonly journalMinor: Minor
  readonly differenceMinor: Minor
  /** Some of the receipts that one side alone has, or that the two have in different amounts. */
  readonly differing: readonly string[]
  /** Receipts of the journal that are dated after the time up to which the provider's records are known. */
  readonly unknownReceipts: number
  readonly unknownMinor: Minor
}

export const namedMax = 20

/** An answer of this strength counts as the provider's record of a payment. */
export const answerStrength: Strength = 'E4'

/**
 * Compares receipt by receipt, and not day by day: the two sides date a payment some seconds apart, which around
 * midnight would be different days. A receipt belongs to the day that the statement has for it or, in no statement, the
 * journal.
 */
export function compareReceipts(groups: readonly ReceiptGroup[]): Comparison {
  const compared = groups.map((group) => ({ ...group, ...compareReceipt(group) }))
  const reported = compared.filter((one) => one.reported !== null)
  const posted = compared.filter((one) => one.posted !== null)
  const unknown = compared.filter(({ standing }) => standing === 'unknown')
  const differing = compared.filter(({ standing }) => standing === 'differs')
  return {
    ...{
      providerReceipts: count(reported),
      providerMinor: sum(reported.map((one) => one.reported)),
    },
    ...{ journalReceipts: count(posted), journalMinor: sum(posted.map((one) => one.posted)) },
    differenceMinor: sum(differing.map((one) => distance(one.reported ?? 0n, one.posted ?? 0n))),
    differing: differing
      .flatMap(({ names }) => names)
      .sort()
      .slice(0, namedMax),
    ...{ unknownReceipts: count(unknown), unknownMinor: sum(unknown.map((one) => one.posted)) },
  }
}

/** What each side has of receipts that are alike, and whether the two agree. */
export interface ComparedReceipt {
  readonly reported: Minor | null
  readonly posted: Minor | null
  readonly standing: 'even' | 'differs' | 'unknown'
}

/**
 * Compares the two sides. Frozen money that was refunded counts as never posted: two operators found no such payment.
 */
export function compareReceipt(facts: ReceiptFacts): ComparedReceipt {
  const { source, isAnswered, isUnread, statedMinor, postedMinor } = facts
  const posted = facts.isFrozen && facts.isGivenBack ? null : postedMinor
  const answered = isAnswered ? posted : null
  const reported = source === 'journal' ? answered : statedMinor
  if (reported === posted) return { reported, posted, standing: 'even' }
  return { reported, posted, standing: isUnread && reported === null ? 'unknown' : 'differs' }
}

function count(groups: readonly Pick<ReceiptGroup, 'receipts'>[]): number {
  return groups.reduce((all, { receipts }) => all + receipts, 0)
}

function sum(amounts: readonly (Minor | null)[]): Minor {
  return amounts.reduce<Minor>((all, minor) => all + (minor ?? 0n), 0n)
}

function distance(one: Minor, other: Minor): Minor {
  return one < other ? other - one : one - other
}

export interface FloatMoves {
  /** What went out within the day. */
  readonly refundedMinor: Minor
  /** The float in the report of an earlier day; 0 where there is none. */
  readonly formerMinor: Minor
  /** What came in less what went out between that earlier report and the end of the day. */
  readonly movedMinor: Minor
}

/** The provider's records against the journal, for one day and one provider. */
export interface DayReport extends Comparison {
  readonly provider: string
  readonly refundedMinor: Minor
  readonly floatMinor: Minor
  /** Until when the provider's records are known without a gap, at most the end of the day. */
  readonly readUntil: Instant
}

export interface ProviderDay {
  readonly provider: string
  readonly readUntil: Instant
  readonly float: FloatMoves
}

export function makeReports(
  days: readonly ProviderDay[],
  groups: readonly ReceiptGroup[],
): DayReport[] {
  return days.map(({ provider, readUntil, float }) => ({
    ...compareReceipts(groups.filter((group) => group.provider === provider)),
    ...{ provider, readUntil },
    refundedMinor: float.refundedMinor,
    floatMinor: float.formerMinor + float.movedMinor,
  }))
}
