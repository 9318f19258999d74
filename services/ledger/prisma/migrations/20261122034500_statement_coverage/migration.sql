-- A statement that was not read says nothing: what it has not shown by then is unknown, and neither even nor a difference.

-- Until when a provider's word is known without a gap, from an instant on. A provider without a statement is asked about
-- each payment, so its word is always known; and there was nothing to read before the ledger was.
CREATE FUNCTION statement_read_until(p_provider TEXT, p_from_at TIMESTAMPTZ, p_until_at TIMESTAMPTZ)
RETURNS TIMESTAMPTZ LANGUAGE sql STABLE AS $$
    WITH begun AS (
        SELECT greatest(p_from_at, created_at) AS at FROM deployment
    ), reads AS (
        SELECT r.from_at, r.until_at,
            max(r.until_at) OVER (ORDER BY r.from_at, r.until_at ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS known_until
        FROM statement_reads r, begun
        WHERE r.provider = p_provider AND r.until_at > begun.at AND r.from_at < p_until_at
    )
    SELECT CASE WHEN p_provider <> 'mpesa' THEN p_until_at ELSE least(p_until_at, coalesce(
        (SELECT min(coalesce(known_until, begun.at)) FROM reads WHERE from_at > coalesce(known_until, begun.at)),
        (SELECT max(until_at) FROM reads),
        begun.at
    )) END
    FROM begun
$$;

ALTER TABLE recon_reports
    -- Until when the provider's word is known; absent of reports that are older than this column.
    ADD COLUMN read_until TIMESTAMPTZ(6),
    -- What the journal has from later than that, and the provider has not borne out yet.
    ADD COLUMN unknown_receipts INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN unknown_minor BIGINT NOT NULL DEFAULT 0;

-- As before, and what the provider was not asked for is unknown.
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

-- What the two sides differ in over the last two days, as far as the provider's word is known, but for what is too young
-- for the provider to have told of.
CREATE OR REPLACE FUNCTION recent_difference() RETURNS DOUBLE PRECISION LANGUAGE sql VOLATILE AS $$
    WITH recent AS (
        SELECT clock_timestamp() - interval '47 hours' AS from_at, clock_timestamp() - interval '15 minutes' AS until_at
    )
    SELECT coalesce(sum(abs(coalesce(c.provider_minor, 0) - coalesce(c.journal_minor, 0))), 0)::float8
    FROM recent, accounts a,
        compare_receipts(recent.from_at, statement_read_until(substr(a.id, 7), recent.from_at, recent.until_at)) c
    WHERE a.id LIKE 'float:%' AND c.provider = substr(a.id, 7)
$$;
