import type { NotedEvent } from '../../webhooks/rules/payment-event'
import type { Course, Decided, Instant, Writes } from '../rules/state'
import { areNotified, eventsAreWritten, writeEvents } from '../../webhooks/store/write-events'
import {
  json,
  timestamp,
  Stale,
  type Statement,
  type Transaction,
} from '../../database/transaction'

/** Parts of the statements that save: $1 is the time of the load, and the arrays are JSON. */
export const parts = {
  /** Posts the transfers of $2. A transfer that the journal has already is not counted. */
  posted: `posted AS (
      INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
      SELECT t."eventKey", t.leg, t.debit, t.credit, d.currency, t.minor, t."eventAt", $1::timestamptz
      FROM jsonb_to_recordset($2::jsonb) t (
        "eventKey" TEXT, leg SMALLINT, debit TEXT, credit TEXT, minor BIGINT, "eventAt" TIMESTAMPTZ
      ), deployment d
      -- All batches post in one order, so two that claim the same receipts do not deadlock.
      ORDER BY t."eventKey", t.leg
      ON CONFLICT DO NOTHING
      RETURNING 1
    )`,
  /** Changes the intents of $3, by their ids, which are locked since they were loaded. */
  changed: `changed AS (
      UPDATE intents i SET (
        status, event, ended_at, deadline_at, next_action_at, query_at, receipt_wanted, denied_code, denied_at, cause,
        provider_code, settled_minor, receipt, settled_at, disposition, reported_at, held_until, callback_request_id
      ) = (
        SELECT n.status, n.event, n."endedAt", n."deadlineAt", n."nextActionAt", n."queryAt", n."receiptWanted",
          n."deniedCode", n."deniedAt", n.cause, n."providerCode", n."settledMinor", n.receipt, n."settledAt",
          n.disposition, n."reportedAt", n."heldUntil", n."callbackRequestId"
        FROM jsonb_to_record($3::jsonb -> i.id) n (
          status TEXT, event TEXT, "endedAt" TIMESTAMPTZ, "deadlineAt" TIMESTAMPTZ, "nextActionAt" TIMESTAMPTZ,
          "queryAt" TIMESTAMPTZ, "receiptWanted" BOOLEAN, "deniedCode" TEXT, "deniedAt" TIMESTAMPTZ, cause TEXT,
          "providerCode" TEXT, "settledMinor" BIGINT, receipt TEXT, "settledAt" TIMESTAMPTZ, disposition TEXT,
          "reportedAt" TIMESTAMPTZ, "heldUntil" TIMESTAMPTZ, "callbackRequestId" TEXT
        )
      )
      -- No join: one that is planned while the table is small reads the whole table, and still does when it is large.
      WHERE i.id = ANY (ARRAY (SELECT jsonb_object_keys($3::jsonb))) AND ${eventsAreWritten}
    )`,
  /** Whether an account that the events of $4 are about has an endpoint for them. */
  notified: `${areNotified(`$4::jsonb -> 'paymentEvents'`)} AS "areNotified"`,
  /** Marks the messages of $5, by their ids, as applied. A message that was applied since the load is not counted. */
  applied: `applied AS (
      UPDATE provider_messages m SET
        (fact, strength, result, receipt) = (
          SELECT a.fact, a.strength, a.result, a.receipt
          FROM jsonb_to_record($5::jsonb -> m.id) a (fact TEXT, strength TEXT, result TEXT, receipt TEXT)
        ),
        applied_at = $1, next_action_at = NULL
      WHERE m.id = ANY (ARRAY (SELECT jsonb_object_keys($5::jsonb))) AND m.result IS NULL
      RETURNING 1
    )`,
}

/** The parts that write rows from $4 which an ordinary settlement does not have. */
export const rareParts = `matched AS (
      INSERT INTO intents (
        id, checkout_id, account_id, handle, rail, phone, amount_minor, asked_minor, status, event,
        created_at, ended_at, settled_at, settled_minor, receipt, disposition
      )
      SELECT b.id, b."checkoutId", b."accountId", b.handle, b.rail, b.phone, b."amountMinor", b."askedMinor",
        b.status, b.event, $1, $1, $1, b."settledMinor", b.receipt, b.disposition
      FROM jsonb_to_recordset($4::jsonb -> 'matched') b (
        id TEXT, "checkoutId" TEXT, "accountId" TEXT, handle TEXT, rail TEXT, phone TEXT, "amountMinor" BIGINT,
        "askedMinor" BIGINT, status TEXT, event TEXT, "settledMinor" BIGINT, receipt TEXT, disposition TEXT
      )
      WHERE ${eventsAreWritten}
    ), suspended AS (
      INSERT INTO suspense_items (event_key, leg, reason, intent_id, minor, opened_at, has_account_number)
      SELECT s."eventKey", 0, s.reason, s."intentId", s.minor, $1, s."hasAccountNumber"
      FROM jsonb_to_recordset($4::jsonb -> 'suspense') s (
        "eventKey" TEXT, reason TEXT, "intentId" TEXT, minor BIGINT, "hasAccountNumber" BOOLEAN
      )
    ), reported AS (
      INSERT INTO payment_reports (
        intent_id, receipt, message_id, provider, minor, reported_at, strength, paid_at, request_id, is_elsewhere
      )
      SELECT r."intentId", r.receipt, r."messageId", r.provider, r.minor, $1, r.strength, r."paidAt", r."requestId",
        r."isElsewhere"
      FROM jsonb_to_recordset($4::jsonb -> 'reports') r (
        "intentId" TEXT, receipt TEXT, "messageId" TEXT, provider TEXT, minor BIGINT, strength TEXT,
        "paidAt" TIMESTAMPTZ, "requestId" TEXT, "isElsewhere" BOOLEAN
      )
      -- A stronger report replaces the id of the prompt and the amount.
      ON CONFLICT (intent_id, receipt) DO UPDATE SET
        strength = greatest(excluded.strength, payment_reports.strength), paid_at = excluded.paid_at,
        request_id = CASE WHEN excluded.strength > payment_reports.strength
          THEN excluded.request_id ELSE payment_reports.request_id END,
        minor = CASE WHEN excluded.strength > payment_reports.strength THEN excluded.minor ELSE payment_reports.minor END,
        is_elsewhere = excluded.is_elsewhere OR payment_reports.is_elsewhere
    ), reported_pay_bill AS (
      INSERT INTO pay_bill_reports (message_id, receipt, checkout_id, minor, reported_at, held_until)
      SELECT r."messageId", r.receipt, r."checkoutId", r.minor, $1, r."heldUntil"
      FROM jsonb_to_recordset($4::jsonb -> 'payBillReports') r (
        "messageId" TEXT, receipt TEXT, "checkoutId" TEXT, minor BIGINT, "heldUntil" TIMESTAMPTZ
      )
      ON CONFLICT DO NOTHING
    ), wanted AS (
      INSERT INTO wanted_payees (message_id, receipt, next_action_at)
      SELECT w."messageId", w.receipt, $1
      FROM jsonb_to_recordset($4::jsonb -> 'wantedPayees') w ("messageId" TEXT, receipt TEXT)
    )`

/**
 * Writes a batch of decisions. Intents and their checkouts are locked since they were loaded. A receipt that another
 * transaction has posted since the load, or a message that it has applied, is missing in the counts.
 */
export const saveStatement: Statement = {
  name: 'save_settlement',
  text: `
    WITH ${parts.posted}, ${parts.changed}, ${rareParts}, ${parts.applied}
    SELECT (SELECT count(*) FROM posted)::int AS posted, (SELECT count(*) FROM applied)::int AS applied, ${parts.notified}`,
}

interface Counts {
  readonly posted: number
  readonly applied: number
  readonly kept?: number
  readonly areNotified: true | null
}

/** Writes the decisions in one statement, at the time of the load; throws `Stale` if one no longer applies. */
export async function saveDecisions(
  transaction: Transaction,
  now: Instant,
  decisions: readonly Decided[],
): Promise<void> {
  const all = decisions.flatMap(({ writes }) => writes ?? [])
  if (all.length === 0) return
  await saveWhole(transaction, now, {
    statement: saveStatement,
    transfers: all.flatMap((writes) => writes.transfers),
    intents: all.flatMap(({ intent }) => intent ?? []),
    paymentEvents: all.flatMap(({ paymentEvent }) => paymentEvent ?? []),
    others: rare(all),
    messages: all.map(({ message }) => message),
  })
}

/** Runs a statement that saves, and writes the events. Throws `Stale` where it wrote fewer rows than were decided. */
export async function saveWhole(
  transaction: Transaction,
  now: Instant,
  decided: {
    readonly statement: Statement
    readonly transfers: Writes['transfers']
    readonly intents: readonly (Course & { readonly id: string })[]
    readonly paymentEvents: readonly NotedEvent[]
    /** The members of $4 that only this statement has, beside the events. */
    readonly others: object
    readonly messages: readonly Writes['message'][]
    /** Messages that are new: their values from $6 on. */
    readonly kept?: { readonly count: number; readonly values: readonly unknown[] }
  },
): Promise<void> {
  const { statement, transfers, intents, paymentEvents, others, messages, kept } = decided
  const events = paymentEvents.map(({ type, checkoutId }) => ({ type, checkout_id: checkoutId }))
  const [saved] = await transaction.query<Counts>(statement, [
    timestamp(now),
    json(transfers.map((one) => ({ ...one, eventAt: timestamp(one.eventAt) }))),
    json(byId(intents.map(courseOf))),
    json({ ...others, paymentEvents: events }),
    json(byId(messages)),
    ...(kept?.values ?? []),
  ])
  const isWhole =
    saved?.posted === transfers.length &&
    saved.applied === messages.length &&
    saved.kept === kept?.count
  if (!isWhole) throw new Stale('another transaction was first')
  if (saved.areNotified) await transaction.query(writeEvents, [json(events)])
}

/** The rows of `rareParts`, which an ordinary settlement does not have. */
export function rare(all: readonly Writes[]) {
  return {
    matched: all.flatMap(({ matched }) => matched ?? []),
    suspense: all.flatMap(({ suspense }) => suspense ?? []),
    reports: all.flatMap(({ report }) =>
      report === undefined ? [] : [{ ...report, paidAt: timestamp(report.paidAt) }],
    ),
    payBillReports: all.flatMap(({ payBillReport: one }) =>
      one === undefined ? [] : [{ ...one, heldUntil: timestamp(one.heldUntil) }],
    ),
    wantedPayees: all.flatMap(({ message, wantedPayee: receipt }) =>
      receipt === undefined ? [] : [{ messageId: message.id, receipt }],
    ),
  }
}

function courseOf({ id, ...course }: Course & { readonly id: string }) {
  const { status, event, receiptWanted, deniedCode, cause, providerCode } = course
  const { settledMinor, receipt, disposition, callbackRequestId } = course
  return {
    ...{ id, status, event, receiptWanted, deniedCode, cause, providerCode },
    ...{ settledMinor, receipt, disposition, callbackRequestId },
    endedAt: timestamp(course.endedAt),
    deadlineAt: timestamp(course.deadlineAt),
    nextActionAt: timestamp(course.nextActionAt),
    queryAt: timestamp(course.queryAt),
    deniedAt: timestamp(course.deniedAt),
    settledAt: timestamp(course.settledAt),
    reportedAt: timestamp(course.reportedAt),
    heldUntil: timestamp(course.heldUntil),
  }
}

function byId<Row extends { readonly id: string }>(rows: readonly Row[]): Record<string, Row> {
  return Object.fromEntries(rows.map((row) => [row.id, row]))
}
