-- Starts an attempt by card, or finds the one that its key made. `p_fee_minor` is absent where a card cannot pay the
-- amount, or nobody takes cards here. Nobody's phone rings, so it is no prompt and has no address to call back.
CREATE OR REPLACE FUNCTION start_card_intent(
    p_intent_id TEXT,
    p_checkout_id TEXT,
    p_key TEXT,
    p_fingerprint BYTEA,
    p_phone TEXT,
    p_fee_minor BIGINT,
    p_sealed_payer BYTEA,
    p_start_seconds DOUBLE PRECISION,
    p_session_seconds DOUBLE PRECISION,
    p_checkout_max INTEGER
)
RETURNS TABLE (
    outcome TEXT, retry_after_seconds INTEGER,
    intent_id TEXT, status TEXT, amount_minor BIGINT, settled_minor BIGINT, rail TEXT
)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_scope TEXT := 'card ' || p_checkout_id;
    v_now TIMESTAMPTZ;
    v_checkout RECORD;
    v_outcome TEXT;
    v_intent_id TEXT;
    v_retry_after INTEGER;
BEGIN
    SELECT c.amount_minor, c.expires_at, w.card_enabled INTO v_checkout
    FROM checkouts c JOIN wallets w USING (account_id)
    WHERE c.id = p_checkout_id AND w.frozen_at IS NULL FOR NO KEY UPDATE OF c;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'checkout_not_found', NULL::int, NULL, NULL, NULL::bigint, NULL::bigint, NULL;
        RETURN;
    END IF;
    -- Read behind the lock: whoever waited across the moment of expiry is refused.
    v_now := clock_timestamp();

    SELECT r.outcome, r.intent_id INTO v_outcome, v_intent_id FROM find_replay(v_scope, p_key, p_fingerprint) r;
    IF v_outcome IS NULL THEN
        v_outcome := CASE
            WHEN EXISTS (SELECT FROM intents WHERE checkout_id = p_checkout_id AND disposition = 'merchant')
            THEN 'checkout_paid'
            WHEN p_fee_minor IS NULL OR NOT v_checkout.card_enabled THEN 'card_off'
            WHEN EXISTS (SELECT FROM intents WHERE checkout_id = p_checkout_id AND ended_at IS NULL)
            THEN 'payment_in_progress'
            WHEN v_now >= v_checkout.expires_at THEN 'checkout_expired'
            ELSE 'started'
        END;
    END IF;

    IF v_outcome = 'started' THEN
        v_retry_after := ceil(3600 - extract(epoch FROM v_now - (
            SELECT created_at FROM intents
            WHERE checkout_id = p_checkout_id AND rail = 'card' AND created_at > v_now - interval '1 hour'
            ORDER BY created_at DESC OFFSET p_checkout_max - 1 LIMIT 1
        )));
        IF v_retry_after IS NOT NULL THEN
            v_outcome := 'rate_limited';
        END IF;
    END IF;

    IF v_outcome = 'started' THEN
        v_intent_id := p_intent_id;
        INSERT INTO idempotency_keys (scope, key, fingerprint, intent_id, created_at)
        VALUES (v_scope, p_key, p_fingerprint, p_intent_id, v_now);
        INSERT INTO intents (
            id, checkout_id, rail, phone, amount_minor, status, event, created_at, deadline_at, next_action_at
        ) VALUES (
            p_intent_id, p_checkout_id, 'card', p_phone, v_checkout.amount_minor, 'created', 'accepted', v_now,
            v_now + make_interval(secs => p_start_seconds),
            -- The bell rings first; where it does not, the sweep takes the row a second later.
            v_now + interval '1 second'
        );
        INSERT INTO card_sessions (intent_id, fee_minor, expires_at, sealed_payer)
        VALUES (p_intent_id, p_fee_minor, v_now + make_interval(secs => p_session_seconds), p_sealed_payer);
        UPDATE intents SET status = 'reserved', event = 'reserved' WHERE id = p_intent_id;
    END IF;

    RETURN QUERY
    SELECT v_outcome, v_retry_after, i.id, i.status, i.amount_minor, i.settled_minor, i.rail
    FROM (VALUES (v_intent_id)) shown (id) LEFT JOIN intents i ON i.id = shown.id;
END $$;
