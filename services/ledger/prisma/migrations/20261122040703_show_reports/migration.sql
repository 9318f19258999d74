-- As before; tells of a report of payment that is not confirmed.
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
    EXISTS (
        SELECT FROM intents u WHERE u.checkout_id = c.id
        AND (u.cause = 'unconfirmed' OR u.status = 'completed' AND u.disposition LIKE 'suspense\_%'
            OR u.reported_at IS NOT NULL AND u.settled_at IS NULL AND u.ended_at IS NOT NULL)
    ) AS may_have_paid,
    CASE WHEN newest.settled_at IS NULL THEN newest.reported_at END AS newest_reported_at
FROM checkouts c
JOIN wallets w ON w.account_id = c.account_id
LEFT JOIN intents flight ON flight.checkout_id = c.id AND flight.ended_at IS NULL
LEFT JOIN intents settled ON settled.checkout_id = c.id AND settled.disposition = 'merchant'
LEFT JOIN LATERAL (
    SELECT * FROM intents i WHERE i.checkout_id = c.id ORDER BY i.created_at DESC LIMIT 1
) newest ON true
LEFT JOIN pay_bill_numbers number ON number.checkout_id = c.id;

-- As before; a report of payment that is in no journal is a difference.
CREATE OR REPLACE FUNCTION compare_receipts(p_from_at TIMESTAMPTZ, p_until_at TIMESTAMPTZ)
RETURNS TABLE (provider TEXT, receipt TEXT, provider_minor BIGINT, journal_minor BIGINT) LANGUAGE sql STABLE AS $$
    WITH posted AS NOT MATERIALIZED (
        SELECT t.event_key, t.event_at, t.minor FROM transfers t
        WHERE t.event_key LIKE 'receipt:%'
            -- Two people have found that there never was such a payment.
            AND NOT (
                EXISTS (SELECT FROM transfers f WHERE f.event_key = 'frozen:' || subject_of(t.event_key))
                AND EXISTS (SELECT FROM transfers r WHERE r.event_key = 'refunded:' || subject_of(t.event_key)))
    ), stated AS (
        SELECT s.provider, s.receipt, s.minor FROM statement_rows s
        WHERE s.paid_at >= p_from_at AND s.paid_at < p_until_at
    ), unstated AS (
        SELECT split_part(t.event_key, ':', 2) AS provider, split_part(t.event_key, ':', 3) AS receipt,
            sum(t.minor)::bigint AS minor
        FROM posted t
        WHERE t.event_at >= p_from_at AND t.event_at < p_until_at AND NOT EXISTS (
            SELECT FROM statement_rows s
            WHERE s.provider = split_part(t.event_key, ':', 2) AND s.receipt = split_part(t.event_key, ':', 3))
        GROUP BY t.event_key
    )
    SELECT s.provider, s.receipt, s.minor, (
        SELECT sum(t.minor)::bigint FROM posted t WHERE t.event_key = 'receipt:' || s.provider || ':' || s.receipt)
    FROM stated s
    UNION ALL
    -- M-Pesa has a statement; the others are asked about each payment, so their word is the answer to our question.
    SELECT u.provider, u.receipt, CASE WHEN u.provider <> 'mpesa' AND EXISTS (
        SELECT FROM provider_messages m
        WHERE m.intent_id IN (SELECT i.id FROM intents i WHERE i.receipt = u.receipt)
            AND m.receipt = u.receipt AND m.strength = 'E4') THEN u.minor END, u.minor
    FROM unstated u
    UNION ALL
    -- What was reported as paid and is in no journal; a row of the statement has been compared above.
    SELECT r.provider, coalesce(nullif(r.receipt, ''), r.intent_id), r.minor, NULL::bigint FROM unposted_reports() r
    WHERE r.reported_at >= p_from_at AND r.reported_at < p_until_at AND NOT EXISTS (
        SELECT FROM statement_rows s WHERE s.provider = r.provider AND s.receipt = r.receipt)
$$;
