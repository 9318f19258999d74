-- Each function below is one operation: one statement for its caller, one round trip, one commit. A refusal is a value
-- (the reason of src/rpc's Fault) and not an exception, so that refusing costs as little as agreeing.

-- What an idempotency key made before, if it did: asked before any rule, because a replay answers what was answered.
CREATE FUNCTION find_replay(p_scope TEXT, p_key TEXT, p_fingerprint BYTEA)
RETURNS TABLE (outcome TEXT, checkout_id TEXT, intent_id TEXT) LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN fingerprint = p_fingerprint THEN 'replayed' ELSE 'idempotency_mismatch' END,
        checkout_id, intent_id
    FROM idempotency_keys WHERE scope = p_scope AND key = p_key
$$;

-- Makes a checkout, or finds the one that its key made. `p_refusal` is the reason by which the service's own rules
-- refuse it: a replay does not have to pass them again.
CREATE FUNCTION create_checkout(
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

-- A checkout as its merchant and its payer read it: the facts that its status is computed from, by the clock that all
-- deadlines go by; the attempt that settled it, the one in flight, and the newest.
CREATE VIEW checkout_views AS
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
        AS failed_attempts
FROM checkouts c
JOIN wallets w ON w.account_id = c.account_id
LEFT JOIN intents flight ON flight.checkout_id = c.id AND flight.ended_at IS NULL
LEFT JOIN intents settled ON settled.checkout_id = c.id AND settled.disposition = 'merchant'
LEFT JOIN LATERAL (
    SELECT * FROM intents i WHERE i.checkout_id = c.id ORDER BY i.created_at DESC LIMIT 1
) newest ON true;
