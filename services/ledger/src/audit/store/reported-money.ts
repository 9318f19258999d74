import { providerOfRail } from '../../journal/store/receipts'
import { awaitedReceipt, isIntentClosed, isIntentDone } from '../../reports/store/list-reports'
import { since } from './invariant'

/** SQL of reports whose money is in no account after ten minutes. A receipt in suspense is posted, but still listed. */
export const unpostedReports = `SELECT r.intent_id FROM payment_reports r
      WHERE r.reported_at < (SELECT clock_timestamp()) - interval '10 minutes'
        AND NOT EXISTS (
          SELECT FROM transfers t WHERE t.event_key = 'receipt:' || r.provider || ':' || ${awaitedReceipt})
        AND NOT (${awaitedReceipt} = '' AND ${isIntentDone})
        AND NOT (${awaitedReceipt} = '' AND ${isIntentClosed})
        AND NOT (${awaitedReceipt} <> '' AND EXISTS (
          SELECT FROM report_closings c WHERE c.status = 'closed' AND c.subject = r.provider || ':' || r.receipt))`

/**
 * SQL of postings by hand that are not as two operators agreed: a message without its posting, and a posting by one
 * operator alone, or one whose attempt has another receipt or another amount.
 */
export const postingsByHand = `SELECT m.id FROM provider_messages m WHERE m.applied_at >= ${since} AND m.kind = 'operator'
        AND NOT EXISTS (
          SELECT FROM report_postings p
          WHERE p.intent_id = m.intent_id AND p.receipt = m.receipt AND p.status = 'posted')
      UNION ALL
      SELECT p.id FROM report_postings p JOIN intents i ON i.id = p.intent_id
      WHERE p.status = 'posted' AND coalesce(p.decided_at, p.asked_at) >= ${since} AND (
        i.receipt IS DISTINCT FROM p.receipt OR NOT are_two_operators(p.asked_by, p.decided_by)
        OR p.minor IS DISTINCT FROM (
          SELECT sum(t.minor) FROM transfers t
          WHERE t.event_key = 'receipt:' || ${providerOfRail('i.rail')} || ':' || p.receipt AND t.debit LIKE 'float:%'))`
