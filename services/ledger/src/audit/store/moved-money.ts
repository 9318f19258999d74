import { isOf, since, wasPlaced } from './invariant'

/**
 * SQL of whether the transfer `t` takes money from the account credited by the transfer `had`, or from the account of
 * what its owner owes.
 */
const isOfItsHolder = "t.debit IN (had.credit, replace(had.credit, 'wallet:', 'receivable:'))"

/** SQL of money that was frozen elsewhere than where it came in. */
export const frozenElsewhere = `SELECT t.event_key FROM transfers t
      WHERE t.created_at >= ${since} AND ${isOf('frozen', 't')} AND NOT EXISTS (
        SELECT FROM transfers had
        WHERE had.event_key = 'receipt:' || subject_of(t.event_key) AND ${isOfItsHolder})`

/** SQL of money that was given to another owner than that of its payment, or not back to where it was frozen. */
export const placedElsewhere = `SELECT t.event_key FROM transfers t
      WHERE t.created_at >= ${since} AND ${isOf('placed', 't')} AND NOT CASE
        WHEN EXISTS (SELECT FROM transfers f WHERE f.event_key = 'frozen:' || subject_of(t.event_key))
        THEN EXISTS (
          SELECT FROM transfers f WHERE f.event_key = 'frozen:' || subject_of(t.event_key)
            AND (f.leg, f.debit, f.credit, f.minor) = (t.leg, t.credit, t.debit, t.minor))
        ELSE EXISTS (
          SELECT FROM intents i LEFT JOIN checkouts c ON c.id = i.checkout_id
          WHERE i.receipt = split_part(t.event_key, ':', 3) AND ${wasPlaced('i')} = t.event_key
            AND i.disposition = 'merchant'
            AND t.credit IN ('wallet:' || coalesce(i.account_id, c.account_id), 'fee:card'))
      END`

/** SQL of money that went back from another account than the last one it was in. The fee of a card belongs to no merchant. */
export const refundedElsewhere = `SELECT t.event_key FROM transfers t
      WHERE t.created_at >= ${since} AND t.event_key LIKE 'refunded:%' AND t.debit NOT LIKE 'fee:%' AND NOT EXISTS (
        SELECT FROM transfers had WHERE ${isOfItsHolder} AND had.event_key = coalesce(
          (SELECT min(p.event_key) FROM transfers p WHERE p.event_key = 'placed:' || subject_of(t.event_key)),
          (SELECT min(f.event_key) FROM transfers f WHERE f.event_key = 'frozen:' || subject_of(t.event_key)),
          'receipt:' || subject_of(t.event_key)))`

/** SQL of paid refunds that are not in the journal, and of money that went back without a paid refund. */
export const unmatchedRefunds = `SELECT r.id FROM refunds r
      WHERE r.status = 'paid' AND r.ended_at >= ${since} AND NOT EXISTS (
        SELECT FROM transfers t WHERE t.event_key = 'refunded:' || r.provider || ':' || r.receipt)
      UNION ALL
      SELECT t.event_key FROM transfers t
      WHERE t.created_at >= ${since} AND t.event_key LIKE 'refunded:%' AND NOT EXISTS (
        SELECT FROM refunds r WHERE r.status = 'paid'
          AND r.provider = split_part(t.event_key, ':', 2) AND r.receipt = split_part(t.event_key, ':', 3))`
