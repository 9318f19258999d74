-- Makes the report of a day and keeps it.
-- What the provider was not asked for is unknown.
CREATE OR REPLACE FUNCTION reconcile_day(p_day DATE) RETURNS SETOF recon_reports LANGUAGE sql AS $$
    WITH day AS (
        SELECT p_day::timestamp AT TIME ZONE 'Africa/Nairobi' AS from_at,
            (p_day + 1)::timestamp AT TIME ZONE 'Africa/Nairobi' AS until_at
    ), floats AS (
        SELECT substr(a.id, 7) AS provider, statement_read_until(substr(a.id, 7), day.from_at, day.until_at) AS read_until
        FROM accounts a, day WHERE a.id LIKE 'float:%'
    ), compared AS (
        SELECT c.*, false AS is_unread FROM floats f, day, compare_receipts(day.from_at, f.read_until) c
        WHERE c.provider = f.provider
        UNION ALL
        SELECT c.*, c.provider_minor IS NULL FROM floats f, day,
            compare_receipts(greatest(day.from_at, f.read_until), day.until_at) c
        WHERE c.provider = f.provider
    )
    INSERT INTO recon_reports (
        day, provider, made_at, provider_receipts, provider_minor, journal_receipts, journal_minor, refunded_minor,
        float_minor, difference_minor, differing, read_until, unknown_receipts, unknown_minor
    )
    SELECT p_day, f.provider, clock_timestamp(),
        count(c.provider_minor), coalesce(sum(c.provider_minor), 0),
        count(c.journal_minor), coalesce(sum(c.journal_minor), 0),
        (SELECT coalesce(sum(minor), 0) FROM transfers t, day
            WHERE t.credit = 'float:' || f.provider AND t.event_at >= day.from_at AND t.event_at < day.until_at),
        (SELECT coalesce(sum(CASE WHEN t.debit = 'float:' || f.provider THEN minor ELSE -minor END), 0)
            FROM transfers t, day
            WHERE 'float:' || f.provider IN (t.debit, t.credit) AND t.event_at < day.until_at),
        coalesce(sum(abs(coalesce(c.provider_minor, 0) - coalesce(c.journal_minor, 0))) FILTER (WHERE NOT c.is_unread), 0),
        coalesce(
            (array_agg(c.receipt ORDER BY c.receipt)
                FILTER (WHERE NOT c.is_unread AND c.provider_minor IS DISTINCT FROM c.journal_minor))[1:20], '{}'),
        f.read_until, count(c.journal_minor) FILTER (WHERE c.is_unread),
        coalesce(sum(c.journal_minor) FILTER (WHERE c.is_unread), 0)
    FROM floats f LEFT JOIN compared c ON c.provider = f.provider
    GROUP BY f.provider, f.read_until
    RETURNING *
$$;
