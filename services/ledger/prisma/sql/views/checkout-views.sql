-- Tells of a report of payment that is not confirmed, and says whether the payment was reported by the Pay Bill menu. A report
-- that two operators closed no longer says that the payer may have paid. Also says that it was closed, and by which rail's
-- status answers alone an intent of the checkout has ended.
CREATE OR REPLACE VIEW checkout_views AS
SELECT
    c.id AS checkout_id,
    c.account_id,
    c.amount_minor,
    c.reference,
    c.description,
    c.return_url,
    c.phone,
    c.created_at,
    c.expires_at,
    settled.settled_at AS completed_at,
    clock_timestamp() >= c.expires_at AS is_time_up,
    w.frozen_at IS NULL AS is_wallet_open,
    w.card_enabled,
    flight.id AS flight_intent_id,
    settled.id AS settled_intent_id,
    settled.status AS settled_status,
    settled.phone AS settled_phone,
    settled.settled_minor,
    settled.receipt AS settled_receipt,
    newest.id AS newest_intent_id,
    newest.status AS newest_status,
    newest.rail AS newest_rail,
    newest.phone AS newest_phone,
    newest.cause AS newest_cause,
    newest.created_at AS newest_created_at,
    newest.settled_minor AS newest_settled_minor,
    newest.receipt AS newest_receipt,
    (SELECT count(*)::int FROM intents f WHERE f.checkout_id = c.id AND f.status IN ('failed', 'expired'))
        AS failed_attempts,
    number.number AS pay_bill_number,
    settled.rail AS settled_rail,
    settled.created_at AS settled_created_at,
    EXISTS (SELECT FROM intents u WHERE u.checkout_id = c.id AND may_have_paid(u)) OR reported.at IS NOT NULL
        AS may_have_paid,
    CASE WHEN newest.settled_at IS NULL AND NOT newest.is_found_unpaid THEN newest.reported_at END AS newest_reported_at,
    reported.at AS pay_bill_reported_at,
    coalesce(clock_timestamp() < reported.held_until, false) AS is_report_held,
    reported.is_closed OR EXISTS (SELECT FROM intents u WHERE u.checkout_id = c.id AND is_found_unpaid(u))
        AS is_found_unpaid,
    (SELECT d.rail FROM intents d WHERE d.checkout_id = c.id AND is_denied_by_answers(d)
        ORDER BY d.created_at DESC LIMIT 1) AS denied_rail
FROM checkouts c
JOIN wallets w ON w.account_id = c.account_id
LEFT JOIN intents flight ON flight.checkout_id = c.id AND flight.ended_at IS NULL
LEFT JOIN intents settled ON settled.checkout_id = c.id AND settled.disposition = 'merchant'
LEFT JOIN LATERAL (
    SELECT i.*, is_found_unpaid(i) AS is_found_unpaid FROM intents i
    WHERE i.checkout_id = c.id ORDER BY i.created_at DESC LIMIT 1
) newest ON true
LEFT JOIN pay_bill_numbers number ON number.checkout_id = c.id
LEFT JOIN LATERAL (
    -- The first of them: another forged one does not hold the checkout longer.
    SELECT min(r.reported_at) FILTER (WHERE NOT r.is_closed) AS at,
        min(r.held_until) FILTER (WHERE NOT r.is_closed) AS held_until, coalesce(bool_or(r.is_closed), false) AS is_closed
    FROM (
        SELECT r.*, is_report_closed('mpesa:' || r.receipt) AS is_closed FROM pay_bill_reports r
        WHERE r.checkout_id = c.id AND NOT is_posted(r)
    ) r
) reported ON true;
