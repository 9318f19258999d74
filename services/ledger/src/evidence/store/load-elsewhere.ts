import { providerOf } from '../../journal/rules/postings'
import { providerOfRail } from '../../journal/store/receipts'
import { micros, type Statement, type Transaction } from '../../database/transaction'
import type { EvidenceState, Fact, ReceiptElsewhere } from '../rules/state'

/** Takes the locks of receipts that refunds and placements take too. */
const lock: Statement = {
  name: 'lock_receipts_elsewhere',
  text: `
    SELECT pg_advisory_xact_lock(hashtextextended('receipt:' || $1 || ':' || receipt, 0))
    FROM (SELECT receipt FROM unnest($2::text[]) given (receipt) ORDER BY receipt OFFSET 0) ordered`,
}

/** What the journal has of the receipts $2 of the provider $1, but for those of the payment of the intent $3. */
const load: Statement = {
  name: 'load_receipts_elsewhere',
  text: `
    SELECT given.receipt, money.holder, money.minor, owners.are_any AS "isOwned",
      ${micros('came.at')} AS "paidAt", came.has_account_number AS "hasAccountNumber",
      ARRAY (SELECT r.status FROM refunds r WHERE r.provider = $1 AND r.receipt = given.receipt) AS refunds,
      EXISTS (SELECT FROM wanted_payees w WHERE w.receipt = given.receipt)
        OR EXISTS (SELECT FROM placements p WHERE p.subject = $1 || ':' || given.receipt AND p.status = 'asked') AS "isClaimed"
    FROM intents i CROSS JOIN unnest($2::text[]) given (receipt)
    CROSS JOIN LATERAL money_of($1 || ':' || given.receipt) money
    CROSS JOIN LATERAL (
      SELECT t.event_at AS at, s.has_account_number FROM transfers t LEFT JOIN suspense_items s USING (event_key, leg)
      WHERE t.event_key = 'receipt:' || $1 || ':' || given.receipt ORDER BY t.leg LIMIT 1
    ) came
    CROSS JOIN LATERAL (
      SELECT count(*) > 0 AS are_any, coalesce(bool_or(o.id = i.id OR o.checkout_id = i.checkout_id), false) AS are_same
      FROM intents o WHERE o.receipt = given.receipt AND ${providerOfRail('o.rail')} = $1
    ) owners
    WHERE i.id = $3 AND NOT owners.are_same`,
}

/** The receipts of a message and of the reports of its intent that the journal has, while the intent is not settled. */
export function postedReceiptsOf(
  { intent, isPosted, reports }: EvidenceState,
  { receipt }: Fact,
): readonly string[] {
  if (intent.settledAt !== null) return []
  const reported = reports.filter((one) => one.isPosted).map((one) => one.receipt)
  return [...new Set(isPosted && receipt !== undefined ? [receipt, ...reported] : reported)]
}

type Row = Omit<ReceiptElsewhere, 'minor'> & { readonly minor: string }

/** Locks the receipts, and reads those that are not of the payment of the intent. */
export async function loadElsewhere(
  transaction: Transaction,
  { rail, id }: EvidenceState['intent'],
  receipts: readonly string[],
): Promise<ReceiptElsewhere[]> {
  const provider = providerOf[rail]
  const [, rows] = await Promise.all([
    transaction.query(lock, [provider, receipts]),
    transaction.query<Row>(load, [provider, receipts, id]),
  ])
  return rows.map(({ minor, ...row }) => ({ ...row, minor: BigInt(minor) }))
}
