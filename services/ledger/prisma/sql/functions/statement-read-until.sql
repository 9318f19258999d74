-- Until when a provider's word is known without a gap, from an instant on. A provider without a statement is asked about
-- each payment, so its word is always known; and there was nothing to read before the ledger was.
CREATE OR REPLACE FUNCTION statement_read_until(p_provider TEXT, p_from_at TIMESTAMPTZ, p_until_at TIMESTAMPTZ)
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
