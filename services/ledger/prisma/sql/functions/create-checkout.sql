-- Makes a checkout, or finds the one that its key made. `p_refusal` is the reason by which the service's own rules
-- refuse it: a replay does not have to pass them again.
CREATE OR REPLACE FUNCTION create_checkout(
    p_checkout_id TEXT,
    p_account_id TEXT,
    p_key TEXT,
    p_fingerprint BYTEA,
    p_refusal TEXT,
    p_amount_minor BIGINT,
    p_reference TEXT,
    p_description TEXT,
    p_return_url TEXT,
    p_phone TEXT,
    p_life_seconds DOUBLE PRECISION
)
RETURNS TABLE (outcome TEXT, checkout_id TEXT, created_at TIMESTAMPTZ, expires_at TIMESTAMPTZ)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_scope TEXT := 'create ' || p_account_id;
    v_now TIMESTAMPTZ := clock_timestamp();
    v_outcome TEXT;
    v_checkout_id TEXT;
BEGIN
    SELECT r.outcome, r.checkout_id INTO v_outcome, v_checkout_id
    FROM find_replay(v_scope, p_key, p_fingerprint) r;

    IF v_outcome IS NULL THEN
        v_outcome := CASE
            WHEN p_refusal IS NOT NULL THEN p_refusal
            WHEN NOT EXISTS (SELECT FROM wallets WHERE account_id = p_account_id AND frozen_at IS NULL)
            THEN 'checkout_not_found'
        END;
    END IF;

    IF v_outcome IS NULL AND p_key IS NOT NULL THEN
        INSERT INTO idempotency_keys (scope, key, fingerprint, checkout_id, created_at)
        VALUES (v_scope, p_key, p_fingerprint, p_checkout_id, v_now) ON CONFLICT DO NOTHING;
        -- The same key at the same moment: we have waited for whoever came first, and they have committed.
        IF NOT FOUND THEN
            SELECT r.outcome, r.checkout_id INTO v_outcome, v_checkout_id
            FROM find_replay(v_scope, p_key, p_fingerprint) r;
        END IF;
    END IF;

    IF v_outcome IS NULL THEN
        RETURN QUERY
        INSERT INTO checkouts (
            id, account_id, amount_minor, reference, description, return_url, phone, created_at, expires_at
        ) VALUES (
            p_checkout_id, p_account_id, p_amount_minor, p_reference, p_description, p_return_url, p_phone,
            v_now, v_now + make_interval(secs => p_life_seconds)
        )
        RETURNING 'created', id, created_at, expires_at;
    ELSE
        RETURN QUERY SELECT v_outcome, v_checkout_id, NULL::timestamptz, NULL::timestamptz;
    END IF;
END $$;
