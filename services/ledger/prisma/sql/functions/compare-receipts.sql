-- Every receipt that either side has between two instants. M-Pesa has a statement; the others are asked about each payment,
-- so their word is the answer to our question.
-- Receipt by receipt, whatever the hour. Each side has its own moment for a payment, seconds apart, and two
-- seconds around midnight made two days differ by money that both sides have. The day of a receipt is the statement's,
-- and where it is in no statement, the journal's.
-- A report of payment that is in no journal is a difference.
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
