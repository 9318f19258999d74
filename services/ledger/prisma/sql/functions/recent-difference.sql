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
