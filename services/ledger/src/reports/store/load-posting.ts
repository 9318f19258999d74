import { providerOf } from '../../journal/rules/postings'
import {
  intentColumns,
  type IntentRow,
  micros,
  readIntent,
  type Statement,
  type Transaction,
} from '../../database/transaction'
import type { PostingState } from '../rules/decide-report-posting'
import { overdueAfterSeconds } from '../rules/payment-report'

/** SQL of the receipts whose money the intents `o` of a condition have. Money that went back does not count. */
function receiptsOf(isTheirs: string): string {
  return `ARRAY (SELECT o.receipt FROM intents o WHERE ${isTheirs} AND o.status = 'completed') AS receipts`
}

/** The attempt $1, the receipt $2, the providers of rails $3, and after how many seconds a report is overdue, $4. */
const load: Statement = {
  name: 'load_report_posting',
  text: `
    SELECT ${micros('clock_timestamp()')} AS now, ${intentColumns}, w.account_id AS "payeeAccountId",
      CASE WHEN w.frozen_at IS NULL THEN 'open' ELSE 'frozen' END AS wallet,
      EXISTS (
        SELECT FROM intents paid WHERE paid.checkout_id = i.checkout_id AND paid.disposition = 'merchant'
      ) AS "isCheckoutPaid",
      s.fee_minor AS "feeMinor", ${micros('s.expires_at')} AS "expiresAt",
      EXISTS (
        SELECT FROM payment_reports r
        WHERE r.intent_id = i.id AND r.reported_at < (SELECT clock_timestamp()) - make_interval(secs => $4)
      ) AS "isReported",
      EXISTS (
        SELECT FROM transfers t WHERE t.event_key = 'receipt:' || ($3::jsonb ->> i.rail) || ':' || $2
      ) AS "isReceiptPosted",
      (
        SELECT coalesce(jsonb_agg(reported.receipts), '[]') FROM (
          SELECT ${receiptsOf('o.id = r.intent_id')} FROM payment_reports r
          WHERE r.provider = ($3::jsonb ->> i.rail) AND r.receipt = $2 AND r.intent_id <> i.id
          UNION ALL
          -- A report without a checkout does not count: such a payment to a till may be the payment of this very
          -- prompt.
          SELECT ${receiptsOf('o.checkout_id = r.checkout_id')} FROM pay_bill_reports r
          WHERE i.rail = 'mpesa' AND r.receipt = $2 AND r.checkout_id IS NOT NULL
            AND r.checkout_id IS DISTINCT FROM i.checkout_id
        ) reported
      ) AS "reportedFor",
      ARRAY (SELECT r.receipt FROM payment_reports r WHERE r.intent_id = i.id AND r.is_elsewhere) AS elsewhere,
      EXISTS (SELECT FROM report_postings p WHERE p.intent_id = i.id AND p.status = 'asked') AS "isUnderway"
    FROM intents i
    LEFT JOIN checkouts c ON c.id = i.checkout_id
    JOIN wallets w ON w.account_id = coalesce(c.account_id, i.account_id)
    LEFT JOIN card_sessions s ON s.intent_id = i.id
    WHERE i.id = $1`,
}

interface Row extends IntentRow, Omit<PostingState, 'intent' | 'card'> {
  readonly feeMinor: string | null
  readonly expiresAt: number | null
}

/** Reads an attempt and what is known of the receipt that an operator names for it. */
export async function loadPosting(
  transaction: Transaction,
  intentId: string,
  receipt: string,
): Promise<PostingState | undefined> {
  const [row] = await transaction.query<Row>(load, [
    ...[intentId, receipt, JSON.stringify(providerOf), overdueAfterSeconds],
  ])
  return row && read(row)
}

function read(row: Row): PostingState {
  const { now, feeMinor, expiresAt, wallet, payeeAccountId, isCheckoutPaid } = row
  const { isReported, isReceiptPosted, reportedFor, elsewhere, isUnderway } = row
  return {
    ...{ now, intent: readIntent(row), wallet, payeeAccountId, isCheckoutPaid },
    card:
      feeMinor === null || expiresAt === null
        ? undefined
        : { feeMinor: BigInt(feeMinor), expiresAt },
    ...{ isReported, isReceiptPosted, reportedFor, elsewhere, isUnderway },
  }
}
