import type { RefundDecided } from '../rules/state'
import type { Instant } from '../../evidence/rules/state'
import { parts, saveWhole } from '../../evidence/store/save'
import type { Statement, Transaction } from '../../database/transaction'
import { refundCourseOf } from './load-refunds'

/**
 * Writes a batch of decisions about refunds, whose rows are locked since they were loaded. Withdrawn refunds are
 * written first and make way for the one that is paid, because a receipt may have one refund that counts.
 */
export const saveRefundsStatement: Statement = {
  name: 'save_refunds',
  text: `
    WITH opened AS (
      INSERT INTO accounts (id, currency) SELECT DISTINCT t.debit, d.currency
      FROM jsonb_to_recordset($2::jsonb) t (debit TEXT), deployment d WHERE t.debit LIKE 'receivable:%'
      ORDER BY t.debit
      ON CONFLICT (id) DO NOTHING
    ), ${parts.posted}, ${parts.changed}, withdrawn AS (
      UPDATE refunds r SET status = 'withdrawn', ended_at = $1, next_action_at = NULL
      FROM jsonb_array_elements_text($4::jsonb -> 'withdrawn') w (id)
      WHERE r.id = w.id
      RETURNING 1
    ), moved AS (
      UPDATE refunds r SET
        status = n.status, decided_by = n."decidedBy", decided_at = n."decidedAt", submitted_at = n."submittedAt",
        provider_request_id = n."providerRequestId", provider_code = n."providerCode", ended_at = n."endedAt",
        next_action_at = n."nextActionAt", closing = n.closing, closing_asked_by = n."closingAskedBy",
        closed_by = n."closedBy"
      FROM jsonb_to_recordset($4::jsonb -> 'refunds') n (
        id TEXT, status TEXT, "decidedBy" TEXT, "decidedAt" TIMESTAMPTZ, "submittedAt" TIMESTAMPTZ,
        "providerRequestId" TEXT, "providerCode" TEXT, "endedAt" TIMESTAMPTZ, "nextActionAt" TIMESTAMPTZ,
        closing TEXT, "closingAskedBy" TEXT, "closedBy" TEXT
      )
      WHERE r.id = n.id AND (SELECT count(*) FROM withdrawn) >= 0
    ), noted AS MATERIALIZED (
      SELECT note_action(a.operator, a.did, a.subject, a.note)
      FROM jsonb_to_recordset($4::jsonb -> 'actions') a (operator TEXT, did TEXT, subject TEXT, note TEXT)
    ), ${parts.applied}
    SELECT (SELECT count(*) FROM posted)::int AS posted, (SELECT count(*) FROM applied)::int AS applied, ${parts.notified},
      (SELECT count(*) FROM noted)::int AS noted`,
}

/** Writes the decisions in one statement, at the time of the load; throws `Stale` if one no longer applies. */
export async function saveRefunds(
  transaction: Transaction,
  now: Instant,
  decisions: readonly RefundDecided<unknown>[],
): Promise<void> {
  const all = decisions.flatMap(({ writes }) => writes ?? [])
  if (all.length === 0) return
  await saveWhole(transaction, now, {
    statement: saveRefundsStatement,
    transfers: all.flatMap(({ transfers }) => transfers),
    intents: all.flatMap(({ intents }) => intents),
    paymentEvents: all.flatMap(({ paymentEvents = [] }) => paymentEvents),
    others: {
      refunds: all.flatMap(({ refunds }) => refunds.map(refundCourseOf)),
      withdrawn: all.flatMap(({ withdrawn = [] }) => withdrawn),
      actions: all.flatMap(({ action }) => action ?? []),
    },
    messages: all.flatMap(({ message }) => message ?? []),
  })
}
