-- Each of `p_items` is {place, checkout_id, account_id, key, fingerprint, amount_minor, reference, description,
-- return_url, phone, life_seconds, pay_bill_number}, with the fingerprint in hex. Answers a row for each that was made.
--
-- Keys are taken in their order, so that two who take the same ones wait for one another and never in a circle.
CREATE OR REPLACE FUNCTION create_together(p_items JSONB)
RETURNS TABLE (place INTEGER, checkout_id TEXT, created_at TIMESTAMPTZ, expires_at TIMESTAMPTZ)
LANGUAGE plpgsql
-- It looks for single rows by their keys. A plan that was made while the tables were small must not read them whole.
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
BEGIN
    RETURN QUERY
    WITH items AS MATERIALIZED (
        SELECT item.* FROM jsonb_to_recordset(p_items) item (
            place INTEGER, checkout_id TEXT, account_id TEXT, key TEXT, fingerprint TEXT, amount_minor BIGINT,
            reference TEXT, description TEXT, return_url TEXT, phone TEXT, life_seconds DOUBLE PRECISION,
            pay_bill_number TEXT
        )
        JOIN wallets w ON w.account_id = item.account_id AND w.frozen_at IS NULL
    ), keyed AS (
        INSERT INTO idempotency_keys (scope, key, fingerprint, checkout_id, created_at)
        SELECT 'create ' || account_id, key, decode(fingerprint, 'hex'), checkout_id, v_now
        FROM items ORDER BY 1, 2
        ON CONFLICT DO NOTHING
        RETURNING checkout_id
    ), made AS (
        INSERT INTO checkouts (
            id, account_id, amount_minor, reference, description, return_url, phone, created_at, expires_at
        )
        SELECT checkout_id, account_id, amount_minor, reference, description, return_url, phone, v_now,
            v_now + make_interval(secs => life_seconds)
        FROM items JOIN keyed USING (checkout_id)
        RETURNING id, created_at, expires_at
    ), numbered AS (
        -- As the statement around create_checkout does: a number that another checkout had within the year is not given.
        INSERT INTO pay_bill_numbers AS held (number, checkout_id, given_at)
        SELECT pay_bill_number, id, made.created_at FROM items JOIN made ON made.id = items.checkout_id
        WHERE pay_bill_number IS NOT NULL
        ON CONFLICT (number) DO UPDATE SET checkout_id = excluded.checkout_id, given_at = excluded.given_at
        WHERE held.given_at < excluded.given_at - interval '1 year'
    )
    SELECT items.place, made.id, made.created_at, made.expires_at
    FROM items JOIN made ON made.id = items.checkout_id;
END $$;
