import { type Minor, wholeMajorUp } from '@malipo/kernel/money'

/** What is known of a report of payment when it is judged. */
export interface ReportFacts {
  readonly hasReceipt: boolean
  /** The journal has the receipt that the report names. */
  readonly isReceiptPosted: boolean
  /** The intent of the report has been paid or, where its receipt is that of another payment, its checkout. */
  readonly isIntentSettled: boolean
  /** Two operators closed the report of this receipt. */
  readonly isReceiptClosed: boolean
  /** Two operators closed the report of this intent that names no receipt. */
  readonly isIntentClosed: boolean
}

/** This long after it was reported, a receipt has to be in the journal. */
export const overdueAfterSeconds = 600

/** A report of a payment from the Pay Bill menu is listed for this long. */
export const payBillListedSeconds = 7 * 86_400

/**
 * A report of a Pay Bill payment is counted for this long: the statement reaches back as far, and would have shown it.
 */
export const payBillCountedSeconds = 2 * 86_400

/** The most unsigned reports of a checkout that are listed: a flood of forged ones must not hide other checkouts. */
export const listedOfCheckoutMax = 3

/** The name by which operators close a report: its receipt, as `mpesa:QK…`, or its intent if it names none. */
export function reportSubject(report: {
  readonly provider: string
  readonly receipt: string
  readonly intentId: string
}): string {
  return report.receipt === '' ? report.intentId : `${report.provider}:${report.receipt}`
}

/** Whether a subject is a receipt: an intent has no colon in its id. */
export function isReceipt(subject: string): boolean {
  return subject.includes(':')
}

/** Whether the money of a report is in the journal. */
export function isPosted(
  facts: Pick<ReportFacts, 'hasReceipt' | 'isReceiptPosted' | 'isIntentSettled'>,
): boolean {
  return facts.hasReceipt ? facts.isReceiptPosted : facts.isIntentSettled
}

/** Whether two operators closed the report. */
export function isClosed(
  facts: Pick<ReportFacts, 'hasReceipt' | 'isReceiptClosed' | 'isIntentClosed'>,
): boolean {
  return facts.hasReceipt ? facts.isReceiptClosed : facts.isIntentClosed
}

/** Whether a report still waits for its money: it is neither posted nor closed. */
export function isUnposted(facts: ReportFacts): boolean {
  return !isPosted(facts) && !isClosed(facts)
}

export interface KeptReport extends ReportFacts {
  readonly ageSeconds: number
  /** An alert about this report was given. */
  readonly isAlarmed: boolean
  /**
   * The receipt is that of another payment, and the intent is still queried, so the provider may name the receipt again.
   */
  readonly isWatched: boolean
  /** The receipt was posted for another payment after the report, and the reported payment has no money. */
  readonly isOfAnother: boolean
}

/**
 * What happens to a stored report. If its money is in the journal, the report is removed once it is no longer watched. If
 * it is overdue and neither posted nor closed, one alert is given. If its receipt came to another payment, the report
 * waits for the money of its intent from then on, unless two operators closed it.
 */
export function followUp(report: KeptReport): 'remove' | 'alarm' | 'list_by_intent' | 'keep' {
  if (report.isOfAnother) return isClosed(report) ? 'keep' : 'list_by_intent'
  if (isPosted(report)) return report.isWatched ? 'keep' : 'remove'
  const isDue = report.ageSeconds > overdueAfterSeconds && !report.isAlarmed
  return isDue && isUnposted(report) ? 'alarm' : 'keep'
}

/**
 * A report that was loaded from a group with the same facts: only the first reports of the group are loaded, and `alike`
 * says how many there are.
 */
export interface Alike {
  readonly alike: number
}

/** The unposted reports, oldest first, at most `limit`, and how many there are in all. */
export function listSigned<Report extends ReportFacts & Alike & { readonly reportedAt: Date }>(
  loaded: readonly Report[],
  limit: number,
): Listed<Report> {
  const unposted = loaded.filter(isUnposted)
  const listed = unposted.toSorted((one, other) => +one.reportedAt - +other.reportedAt)
  return { listed: listed.slice(0, limit), total: totalOf(unposted) }
}

export interface Listed<Report> {
  readonly listed: readonly Report[]
  readonly total: number
}

export interface UnsignedReport extends ReportFacts, Alike {
  readonly checkoutId: string
  readonly minor: Minor
  readonly checkoutMinor: Minor
  readonly reportedAt: Date
}

/**
 * The unposted unsigned reports, at most `limit` and `listedOfCheckoutMax` of a checkout: those with the amount of
 * their checkout first, then the largest.
 */
export function listUnsigned<Report extends UnsignedReport>(
  loaded: readonly Report[],
  limit: number,
): Listed<Report> {
  const unposted = loaded.filter(isUnposted)
  const seen = new Map<string, number>()
  const likely = unposted.toSorted(inCheckout).filter(({ checkoutId }) => {
    const before = seen.get(checkoutId) ?? 0
    seen.set(checkoutId, before + 1)
    return before < listedOfCheckoutMax
  })
  return { listed: likely.toSorted(amongAll).slice(0, limit), total: totalOf(unposted) }
}

/** Whether a report has the amount that the payer of the checkout was asked for. */
function isExact({ minor, checkoutMinor }: UnsignedReport): boolean {
  return minor === checkoutMinor || minor === wholeMajorUp(checkoutMinor)
}

function inCheckout(one: UnsignedReport, other: UnsignedReport): number {
  return likelihood(other) - likelihood(one) || +one.reportedAt - +other.reportedAt
}

function amongAll(one: UnsignedReport, other: UnsignedReport): number {
  const isLarger = one.minor > other.minor ? -1 : 1
  const byAmount = one.minor === other.minor ? 0 : isLarger
  return likelihood(other) - likelihood(one) || byAmount || +one.reportedAt - +other.reportedAt
}

function likelihood(report: UnsignedReport): number {
  return isExact(report) ? 1 : 0
}

/** Each group of alike reports counts once, because each report has the number of its whole group. */
export function totalOf(reports: readonly (ReportFacts & Alike)[]): number {
  const counts = new Map(reports.map((report) => [groupOf(report), report.alike]))
  return [...counts.values()].reduce((all, alike) => all + alike, 0)
}

function groupOf(facts: ReportFacts): string {
  const { hasReceipt, isReceiptPosted, isIntentSettled, isReceiptClosed, isIntentClosed } = facts
  return [hasReceipt, isReceiptPosted, isIntentSettled, isReceiptClosed, isIntentClosed].join()
}
