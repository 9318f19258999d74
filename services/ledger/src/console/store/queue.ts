import type { Minor } from '@malipo/kernel/money'
import type { Database } from '../../database/database'
import { Prisma } from '../../database/generated/client'
import { isUndecided } from '../../intents/store/undecided'

/** What waits for an operator, except reports of payment, which a rule judges. */
export interface QueueItem {
  readonly kind: QueueKind
  readonly id: string
  readonly minor: Minor | null
  readonly since: Date
  readonly askedBy: string | null
  readonly askedById: string | null
  readonly detail: string
  readonly checkoutId: string | null
  readonly intentId: string | null
  readonly subject: string | null
  /** How many items of its kind there are in all, and (`totalMinor`) their sum. */
  readonly total: number
  readonly totalMinor: Minor
}

/** An attempt that was reported as paid is listed this long after the report. */
const reportedStuckAfterSeconds = 300
/** Any other attempt is listed this long after its deadline, at which the ledger should have ended it. */
const overdueStuckAfterSeconds = 60
/**
 * A parked message is listed for this long. Nothing applies it again, and the alert about an older one has fired
 * before.
 */
const parkedWithinDays = 30
const reconWithinDays = 60

/** What operators asked for about reports of payment. */
const aboutReports = Prisma.sql`
      SELECT 'report_closing', c.id, NULL, c.asked_at, c.asked_by, 'close the report', NULL,
        CASE WHEN c.subject LIKE 'pi\_%' THEN c.subject END, c.subject
      FROM report_closings c WHERE c.status = 'asked'
      UNION ALL
      SELECT 'report_posting', p.id, p.minor, p.asked_at, p.asked_by, 'post ' || p.receipt, i.checkout_id, p.intent_id,
        p.intent_id
      FROM report_postings p JOIN intents i ON i.id = p.intent_id WHERE p.status = 'asked'`

/** What operators asked for about wallets and operators. */
const aboutAccess = Prisma.sql`
      SELECT 'freezing', f.id, NULL, f.asked_at, f.asked_by,
        CASE WHEN f.is_frozen THEN 'freeze ' ELSE 'thaw ' END || f.account_id, NULL, NULL, NULL
      FROM freezings f WHERE f.status = 'asked'
      UNION ALL
      SELECT 'enrollment', o.id, NULL, o.asked_at, o.asked_by, 'enrol ' || o.name, NULL, NULL, NULL
      FROM operators o WHERE o.public_key IS NOT NULL AND o.enrolled_at IS NULL
      UNION ALL
      SELECT 'retirement', o.id, NULL, a.at, o.retirement_asked_by, 'retire ' || o.name, NULL, NULL, NULL
      FROM operators o JOIN LATERAL (
        SELECT max(at) AS at FROM operator_actions WHERE subject = o.id AND did = 'retirement_asked'
      ) a ON true
      WHERE o.retirement_asked_by IS NOT NULL AND o.retired_at IS NULL`

/**
 * Refunds that failed after two operators agreed, whose money lies where it was and about which no operator has asked
 * for anything since.
 */
const failedRefunds = Prisma.sql`
      SELECT r.id, r.subject, r.minor, r.ended_at, concat_ws(', ',
        CASE WHEN r.closed_by IS NULL THEN 'failed' ELSE 'closed as not paid' END, 'code ' || r.provider_code) AS how
      FROM (SELECT *, provider || ':' || receipt AS subject FROM refunds WHERE status = 'failed') r
      WHERE NOT EXISTS (
          SELECT FROM refunds n WHERE n.provider = r.provider AND n.receipt = r.receipt AND n.asked_at > r.asked_at)
        AND NOT EXISTS (SELECT FROM placements p WHERE p.subject = r.subject AND p.status = 'asked')
        AND NOT EXISTS (
          SELECT FROM transfers t
          WHERE t.event_key IN ('placed:' || r.subject, 'refunded:' || r.subject) AND t.created_at > r.ended_at)`

/** Also measured alone by a test of its plan. */
export const parkedMessages = Prisma.sql`
      SELECT 'parked_message', m.id, NULL, m.received_at, NULL, m.rail || ' ' || m.kind || coalesce(': ' || m.detail, ''),
        i.checkout_id, m.intent_id, NULL
      FROM provider_messages m LEFT JOIN intents i ON i.id = m.intent_id
      WHERE m.result = 'parked' AND m.received_at > (SELECT clock_timestamp()) - make_interval(days => ${parkedWithinDays}::int)`

/** What waits for an operator, at most `limit` items of each kind, the oldest first. */
export async function listQueue(db: Database, limit: number): Promise<QueueItem[]> {
  return db.$queryRaw<QueueItem[]>`
    WITH underway AS (
      SELECT id, provider || ':' || receipt AS subject, minor, status, asked_by, asked_at, sent_by, submitted_at, next_action_at,
        closing, closing_asked_by, closed_by
      FROM refunds WHERE status IN ('asked', 'approved', 'submitted')
    ), failed AS (${failedRefunds}
    ), waiting (kind, id, minor, since, asked_by, detail, checkout_id, intent_id, subject) AS (
      SELECT 'suspense', o.subject, o.minor, o.opened_at, NULL, o.reason, i.checkout_id, o.intent_id, o.subject
      FROM open_suspense() o LEFT JOIN intents i ON i.id = o.intent_id
      WHERE NOT EXISTS (SELECT FROM placements p WHERE p.subject = o.subject AND p.status = 'asked')
        AND NOT EXISTS (SELECT FROM underway u WHERE u.subject = o.subject)
        AND NOT EXISTS (SELECT FROM failed f WHERE f.subject = o.subject)
      UNION ALL
      SELECT 'placement', p.id, m.minor, p.asked_at, p.asked_by, 'to ' || coalesce(p.checkout_id, 'wallet ' || p.account_id),
        p.checkout_id, NULL, p.subject
      FROM placements p LEFT JOIN LATERAL money_of(p.subject) m ON true WHERE p.status = 'asked'
      UNION ALL
      SELECT 'refund', u.id, u.minor, u.asked_at, u.asked_by,
        CASE u.sent_by WHEN 'us' THEN 'we send it' ELSE 'the provider has sent it' END, NULL, NULL, u.subject
      FROM underway u WHERE u.status = 'asked'
      UNION ALL
      SELECT 'refund_undecided', u.id, u.minor, u.submitted_at, NULL, 'sent, and the provider reported no outcome', NULL, NULL,
        u.subject
      FROM underway u WHERE u.status = 'submitted' AND u.next_action_at IS NULL AND u.closing_asked_by IS NULL
      UNION ALL
      SELECT 'refund_closing', u.id, u.minor, u.submitted_at, u.closing_asked_by, 'close as ' || u.closing, NULL, NULL, u.subject
      FROM underway u WHERE u.status = 'submitted' AND u.closing_asked_by IS NOT NULL AND u.closed_by IS NULL
      UNION ALL
      SELECT 'refund_failed', f.id, f.minor, f.ended_at, NULL,
        f.how || ': ask for it again, or if it is not to go back ask for it and withdraw that', NULL, NULL, f.subject
      FROM failed f
      UNION ALL ${aboutReports} UNION ALL ${aboutAccess}
      UNION ALL
      SELECT 'stuck_intent', i.id, i.amount_minor, i.created_at, NULL,
        i.rail || ' ' || i.status || CASE WHEN i.reported_at IS NULL THEN '' ELSE ', reported as paid' END, i.checkout_id, i.id,
        NULL
      FROM intents i
      WHERE i.ended_at IS NULL AND CASE WHEN i.reported_at IS NULL
        THEN i.deadline_at < (SELECT clock_timestamp()) - make_interval(secs => ${overdueStuckAfterSeconds}::float8)
        ELSE i.reported_at < (SELECT clock_timestamp()) - make_interval(secs => ${reportedStuckAfterSeconds}::float8) END
      UNION ALL
      SELECT 'stuck_intent', i.id, i.amount_minor, i.created_at, NULL, i.rail || ' ' || i.status || ', undecided after its watch',
        i.checkout_id, i.id, NULL
      FROM intents i WHERE ${Prisma.raw(isUndecided)}
      UNION ALL ${parkedMessages} UNION ALL
      SELECT 'difference', to_char(r.day, 'YYYY-MM-DD') || ' ' || r.provider, abs(r.difference_minor), r.made_at, NULL,
        cardinality(r.differing) || ' receipts named', NULL, NULL, NULL
      FROM (
        SELECT DISTINCT ON (day, provider) * FROM recon_reports
        WHERE day > current_date - ${reconWithinDays}::int ORDER BY day, provider, made_at DESC
      ) r WHERE r.difference_minor <> 0
    ), ranked AS (
      SELECT w.*, row_number() OVER (PARTITION BY kind ORDER BY since, id) AS place,
        (count(*) OVER (PARTITION BY kind))::int AS total, coalesce(sum(minor) OVER (PARTITION BY kind), 0)::bigint AS total_minor
      FROM waiting w
    )
    SELECT kind, id, minor, since, operator_name(asked_by) AS "askedBy", asked_by AS "askedById", left(detail, 160) AS detail,
      checkout_id AS "checkoutId", intent_id AS "intentId", subject, total, total_minor AS "totalMinor"
    FROM ranked WHERE place <= ${limit}::int ORDER BY since, id`
}

/** What waits for an operator, except reports of payment, which have their own rules. */
type QueueKind =
  | 'suspense'
  | 'placement'
  | 'refund'
  | 'refund_closing'
  | 'report_closing'
  | 'report_posting'
  | 'freezing'
  | 'enrollment'
  | 'retirement'
  | 'refund_undecided'
  | 'refund_failed'
  | 'stuck_intent'
  | 'parked_message'
  | 'difference'
