import type { Minor } from '@malipo/kernel/money'
import { Prisma } from '../../database/generated/client'
import {
  type Alike,
  isUnposted,
  listedOfCheckoutMax,
  listSigned,
  listUnsigned,
  overdueAfterSeconds,
  payBillCountedSeconds,
  payBillListedSeconds,
  type ReportFacts,
  reportSubject,
  totalOf,
  type UnsignedReport,
} from '../rules/payment-report'
import type { Database } from '../../database/database'
import { isOfOthers } from '../../journal/store/receipts'

const isIntentSettled = `EXISTS (SELECT FROM intents s WHERE s.id = r.intent_id AND s.settled_at IS NOT NULL)`
const isCheckoutPaid = `EXISTS (
      SELECT FROM intents s JOIN intents paid ON paid.checkout_id = s.checkout_id AND paid.disposition = 'merchant'
      WHERE s.id = r.intent_id
    )`

/** The receipt that the payment report `r` waits for; '' where it waits for its intent. */
export const awaitedReceipt = `CASE WHEN r.is_elsewhere THEN '' ELSE r.receipt END`

/**
 * Whether the payment report `r`, which waits for the money of its intent, is done. A report that names the receipt of
 * another payment is also done when other money has paid the checkout. A report without a receipt is not, because its
 * money is not in the journal.
 */
export const isIntentDone = `(${isIntentSettled} OR (r.is_elsewhere AND ${isCheckoutPaid}))`

/**
 * Whether the journal has the receipt of the payment report `r` for its payment. A receipt that lies unmatched in
 * suspense does not count, unless the intent or its checkout was paid by other money.
 */
const isReceiptPosted = `(
    EXISTS (SELECT FROM transfers t WHERE t.event_key = 'receipt:' || r.provider || ':' || r.receipt)
    AND (${isIntentSettled} OR ${isCheckoutPaid} OR NOT EXISTS (
      SELECT FROM suspense_items s
      WHERE s.event_key = 'receipt:' || r.provider || ':' || r.receipt AND s.intent_id IS NULL AND NOT EXISTS (
        SELECT FROM transfers t
        WHERE t.event_key IN ('placed:' || r.provider || ':' || r.receipt, 'refunded:' || r.provider || ':' || r.receipt)
      )
    ))
  )`

/**
 * Whether the receipt in the payment report `r` was posted for another payment after the report, and the reported payment
 * has no money. A receipt that lay unmatched in suspense does not count: operators or evidence decided where its money
 * belongs.
 */
const isOfAnother = `(
    NOT r.is_elsewhere AND NOT ${isIntentSettled} AND NOT ${isCheckoutPaid}
    AND (SELECT ${isOfOthers('r.receipt', 'r.provider')} FROM intents i WHERE i.id = r.intent_id) IS TRUE
    AND NOT EXISTS (
      SELECT FROM suspense_items s WHERE s.event_key = 'receipt:' || r.provider || ':' || r.receipt AND s.intent_id IS NULL
    )
  )`

/** Whether the journal has the receipt `subject` for every payment that was reported by it. */
export function isPostedForAll(subject: string): string {
  return `(
    EXISTS (SELECT FROM transfers t WHERE t.event_key = 'receipt:' || ${subject})
    AND NOT EXISTS (
      SELECT FROM payment_reports r
      WHERE r.provider || ':' || r.receipt = ${subject} AND NOT r.is_elsewhere AND NOT ${isReceiptPosted}
    )
  )`
}

/**
 * Whether two operators closed the report `r` of its intent. A closing does not count once our own query is answered with
 * "paid" for the first time after it: the operators did not know of that answer.
 */
export const isIntentClosed = `EXISTS (
    SELECT FROM report_closings c WHERE c.subject = r.intent_id AND c.status = 'closed' AND NOT EXISTS (
      SELECT FROM intents i WHERE i.id = r.intent_id AND i.receipt_wanted AND i.settled_at IS NULL AND NOT EXISTS (
        SELECT FROM provider_messages m WHERE m.intent_id = i.id AND m.digest IS NULL AND m.fact = 'paid'
          AND m.strength = 'E4' AND m.applied_at <= c.decided_at
      )
    )
  )`

/** The facts of the payment report `r`, each by its name in `ReportFacts`. */
const signed = {
  hasReceipt: `${awaitedReceipt} <> ''`,
  isReceiptPosted,
  isIntentSettled: isIntentDone,
  isReceiptClosed: closed(`r.provider || ':' || r.receipt`),
  isIntentClosed,
} as const

/** The facts of the Pay Bill report `r`, which has a receipt and is about no intent. */
const payBill: Record<keyof typeof signed, string> = {
  hasReceipt: 'true',
  isReceiptPosted: `EXISTS (SELECT FROM transfers t WHERE t.event_key = 'receipt:mpesa:' || r.receipt)`,
  isIntentSettled: 'false',
  isReceiptClosed: closed(`'mpesa:' || r.receipt`),
  isIntentClosed: 'false',
}

function closed(subject: string): string {
  return `EXISTS (SELECT FROM report_closings c WHERE c.subject = ${subject} AND c.status = 'closed')`
}

function columns(facts: Record<string, string>): Prisma.Sql {
  return Prisma.raw(
    Object.entries(facts)
      .map(([name, fact]) => `${fact} AS "${name}"`)
      .join(', '),
  )
}

export const signedFacts = columns(signed)
export const keptFacts = columns({ ...signed, isOfAnother })
const payBillFacts = columns(payBill)
export const factNames = Prisma.raw(
  Object.keys(signed)
    .map((name) => `"${name}"`)
    .join(', '),
)

export interface PaymentReport {
  readonly subject: string
  readonly isSigned: boolean
  readonly intentId: string | null
  readonly checkoutId: string | null
  readonly minor: Minor
  readonly reportedAt: Date
  readonly closingId: string | null
  /** The id of the posting that is asked for about the intent of the report. */
  readonly postingId: string | null
  /** How many reports of its kind, signed or unsigned, there are in all. */
  readonly total: number
}

/** Reports whose money is not in the journal: at most `limit` signed and `limit` unsigned ones. */
export async function listReports(db: Database, limit: number): Promise<PaymentReport[]> {
  const [signed, unsigned] = [
    listSigned(await loadSigned(db, limit), limit),
    listUnsigned(await loadUnsigned(db, limit), limit),
  ]
  const listed = [
    ...signed.listed.map((report) => ({
      ...{ ...report, isSigned: true, total: signed.total },
      subject: reportSubject(report),
    })),
    ...unsigned.listed.map((report) => ({
      ...{ ...report, isSigned: false, intentId: null, total: unsigned.total },
      subject: `mpesa:${report.receipt}`,
    })),
  ]
  const requests = await findRequests(
    db,
    listed.flatMap(({ subject, intentId }) => (intentId === null ? subject : [subject, intentId])),
  )
  return listed.map((report) => ({
    ...report,
    closingId: requests.get(`closing ${report.subject}`) ?? null,
    postingId: requests.get(`posting ${report.intentId ?? ''}`) ?? null,
  }))
}

/** The ids of closings and postings that are asked for, by `closing` or `posting` and the subject. */
async function findRequests(
  db: Database,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await db.$queryRaw<{ about: string; id: string }[]>`
    SELECT 'closing ' || subject AS about, id FROM report_closings WHERE subject = ANY (${[...subjects]}) AND status = 'asked'
    UNION ALL
    SELECT 'posting ' || intent_id, id FROM report_postings WHERE intent_id = ANY (${[...subjects]}) AND status = 'asked'`
  return new Map(found.map(({ about, id }) => [about, id]))
}

const overdue = Prisma.sql`(SELECT clock_timestamp()) - make_interval(secs => ${overdueAfterSeconds}::float8)`

interface SignedRow extends ReportFacts, Alike {
  readonly intentId: string
  readonly checkoutId: string | null
  readonly provider: string
  readonly receipt: string
  readonly minor: Minor
  readonly reportedAt: Date
}

/**
 * Reads only the first `limit` of the reports that are alike in their facts, and their number: `listSigned` needs no
 * more.
 */
async function loadSigned(db: Database, limit: number): Promise<SignedRow[]> {
  return db.$queryRaw<SignedRow[]>`
    WITH facts AS (
      SELECT r.*, ${Prisma.raw(awaitedReceipt)} AS awaited, ${signedFacts}
      FROM payment_reports r WHERE r.reported_at < ${overdue}
    ), placed AS (
      SELECT f.*, (count(*) OVER (PARTITION BY ${factNames}))::int AS alike,
        row_number() OVER (PARTITION BY ${factNames} ORDER BY reported_at, intent_id, receipt) AS place
      FROM facts f
    )
    SELECT p.intent_id AS "intentId", i.checkout_id AS "checkoutId", p.provider, p.awaited AS receipt, p.minor,
      p.reported_at AS "reportedAt", ${factNames}, alike
    FROM placed p JOIN intents i ON i.id = p.intent_id WHERE p.place <= ${limit}::int
    ORDER BY p.reported_at, p.intent_id, p.receipt`
}

interface UnsignedRow extends UnsignedReport {
  readonly receipt: string
}

/**
 * Reads unsigned reports as `loadSigned` reads signed ones, but only the likeliest reports of each checkout. A receipt
 * counts once, for the checkout for which it was reported first.
 */
async function loadUnsigned(db: Database, limit: number): Promise<UnsignedRow[]> {
  return db.$queryRaw<UnsignedRow[]>`
    WITH ${oncePerReceipt(payBillListedSeconds)}, facts AS (
      SELECT r.*, c.amount_minor, r.minor IN (c.amount_minor, (c.amount_minor + 99) / 100 * 100) AS is_exact, ${payBillFacts}
      FROM once r JOIN checkouts c ON c.id = r.checkout_id
    ), ranked AS (
      SELECT f.*, (count(*) OVER (PARTITION BY ${factNames}))::int AS alike,
        row_number() OVER (PARTITION BY ${factNames}, checkout_id ORDER BY is_exact DESC, reported_at) AS of_checkout
      FROM facts f
    ), placed AS (
      SELECT k.*, row_number() OVER (PARTITION BY ${factNames} ORDER BY is_exact DESC, minor DESC, reported_at) AS place
      FROM ranked k WHERE of_checkout <= ${listedOfCheckoutMax}::int
    )
    SELECT receipt, checkout_id AS "checkoutId", minor, amount_minor AS "checkoutMinor", reported_at AS "reportedAt",
      ${factNames}, alike
    FROM placed WHERE place <= ${limit}::int`
}

function oncePerReceipt(withinSeconds: number): Prisma.Sql {
  return Prisma.sql`once AS (
      SELECT DISTINCT ON (receipt) receipt, checkout_id, minor, reported_at FROM pay_bill_reports
      WHERE reported_at BETWEEN (SELECT clock_timestamp()) - make_interval(secs => ${withinSeconds}::float8) AND ${overdue}
      ORDER BY receipt, checkout_id IS NULL, reported_at
    )`
}

/**
 * How many signed and unsigned reports are overdue and not in the journal. Unsigned reports without a checkout are not
 * counted: they are on no list, so they must not alert an operator. The statement brings their money to suspense, if
 * there is any.
 */
export async function countUnposted(
  db: Database,
): Promise<{ readonly signed: number; readonly unsigned: number }> {
  const signed = await db.$queryRaw<(ReportFacts & Alike)[]>`
    SELECT ${factNames}, count(*)::int AS alike
    FROM (SELECT ${signedFacts} FROM payment_reports r WHERE r.reported_at < ${overdue}) f GROUP BY ${factNames}`
  const unsigned = await db.$queryRaw<(ReportFacts & Alike)[]>`
    WITH ${oncePerReceipt(payBillCountedSeconds)}
    SELECT ${factNames}, count(*)::int AS alike FROM (SELECT ${payBillFacts} FROM once r WHERE r.checkout_id IS NOT NULL) f
    GROUP BY ${factNames}`
  return {
    signed: totalOf(signed.filter(isUnposted)),
    unsigned: totalOf(unsigned.filter(isUnposted)),
  }
}
