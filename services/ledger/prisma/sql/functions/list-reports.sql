-- What was reported as paid and is in no journal: at most so many of each kind, and how many there are of it. Unsigned ones
-- are listed only if they name the number of a checkout, three of a checkout at most; those with its amount come first,
-- then the largest. So a flood of inventions hides neither the signed nor the likely ones.
CREATE OR REPLACE FUNCTION list_reports(p_limit INT)
RETURNS TABLE (
    subject TEXT, is_signed BOOLEAN, intent_id TEXT, checkout_id TEXT, minor BIGINT, reported_at TIMESTAMPTZ,
    closing_id TEXT, total INT
)
LANGUAGE sql STABLE AS $$
    WITH signed AS (
        SELECT report_subject(u.provider, u.receipt, u.intent_id) AS subject, true AS is_signed, u.intent_id,
            i.checkout_id, u.minor, u.reported_at, (count(*) OVER ())::int AS total,
            row_number() OVER (ORDER BY u.reported_at, u.intent_id) AS place
        FROM unposted_reports() u JOIN intents i ON i.id = u.intent_id
        ORDER BY place LIMIT p_limit
    ), unsigned AS (
        SELECT 'mpesa:' || u.receipt AS subject, u.checkout_id, u.minor, u.reported_at, (count(*) OVER ())::int AS total,
            u.minor IN (c.amount_minor, (c.amount_minor + 99) / 100 * 100) AS is_exact
        FROM unposted_pay_bill_reports(interval '7 days') u JOIN checkouts c ON c.id = u.checkout_id
    ), ranked AS (
        SELECT u.*, row_number() OVER (PARTITION BY checkout_id ORDER BY is_exact DESC, reported_at) AS of_checkout
        FROM unsigned u
    ), listed AS (
        SELECT * FROM signed
        UNION ALL (
            SELECT subject, false, NULL, checkout_id, minor, reported_at, total,
                row_number() OVER (ORDER BY is_exact DESC, minor DESC, reported_at) AS place
            FROM ranked WHERE of_checkout <= 3 ORDER BY place LIMIT p_limit
        )
    )
    SELECT l.subject, l.is_signed, l.intent_id, l.checkout_id, l.minor, l.reported_at, c.id, l.total
    FROM listed l LEFT JOIN report_closings c ON c.subject = l.subject AND c.status = 'asked'
    ORDER BY l.is_signed DESC, l.place
$$;
