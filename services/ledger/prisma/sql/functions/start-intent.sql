-- Starts an attempt, or re-attaches to one. `p_refusal` is the reason by which the service's own rules refuse it.
-- A rail of whole shillings is asked for whole shillings.
CREATE OR REPLACE FUNCTION start_intent(
    p_intent_id TEXT,
    p_checkout_id TEXT,
    p_key TEXT,
    p_fingerprint BYTEA,
    p_rail TEXT,
    p_phone TEXT,
    p_callback_secret TEXT,
    p_attempt_reference TEXT,
    p_whole_majors_only BOOLEAN,
    p_start_seconds DOUBLE PRECISION,
    p_phone_max INTEGER,
    p_checkout_max INTEGER
)
RETURNS TABLE (
    outcome TEXT, retry_after_seconds INTEGER,
    intent_id TEXT, status TEXT, amount_minor BIGINT, settled_minor BIGINT, rail TEXT
)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_scope TEXT := 'pay ' || p_checkout_id;
    v_now TIMESTAMPTZ;
    v_checkout RECORD;
    v_outcome TEXT;
    v_intent_id TEXT;
    v_retry_after INTEGER;
BEGIN
    SELECT c.amount_minor, c.expires_at INTO v_checkout
    FROM checkouts c JOIN wallets w USING (account_id)
    WHERE c.id = p_checkout_id AND w.frozen_at IS NULL FOR NO KEY UPDATE OF c;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'checkout_not_found', NULL::int, NULL, NULL, NULL::bigint, NULL::bigint, NULL;
        RETURN;
    END IF;
    -- Two checkouts must not both count four prompts of one phone and both send a fifth.
    PERFORM pg_advisory_xact_lock(hashtextextended(p_phone, 0));
    -- Read behind the locks: whoever waited across the moment of expiry is refused.
    v_now := clock_timestamp();

    SELECT r.outcome, r.intent_id INTO v_outcome, v_intent_id FROM find_replay(v_scope, p_key, p_fingerprint) r;
    IF v_outcome IS NULL THEN
        SELECT id INTO v_intent_id FROM intents WHERE checkout_id = p_checkout_id AND ended_at IS NULL;
        v_outcome := CASE
            WHEN EXISTS (SELECT FROM intents WHERE checkout_id = p_checkout_id AND disposition = 'merchant')
            THEN 'checkout_paid'
            WHEN v_intent_id IS NOT NULL THEN 'in_progress'
            WHEN v_now >= v_checkout.expires_at THEN 'checkout_expired'
            ELSE 'started'
        END;
    END IF;

    IF v_outcome = 'started' THEN
        -- The intents are the counter: the prompt that must fall out of the hour first, of the phone and the checkout.
        v_retry_after := ceil(3600 - extract(epoch FROM v_now - greatest(
            (SELECT created_at FROM intents
             WHERE phone = p_phone AND created_at > v_now - interval '1 hour' AND callback_secret IS NOT NULL
             ORDER BY created_at DESC OFFSET p_phone_max - 1 LIMIT 1),
            (SELECT created_at FROM intents
             WHERE checkout_id = p_checkout_id AND created_at > v_now - interval '1 hour'
                AND callback_secret IS NOT NULL
             ORDER BY created_at DESC OFFSET p_checkout_max - 1 LIMIT 1)
        )));
        IF v_retry_after IS NOT NULL THEN
            v_outcome := 'rate_limited';
        END IF;
    END IF;

    IF v_outcome IN ('started', 'in_progress') THEN
        -- A key is bound to what it was answered, so an old one never raises a new prompt.
        v_intent_id := coalesce(v_intent_id, p_intent_id);
        INSERT INTO idempotency_keys (scope, key, fingerprint, intent_id, created_at)
        VALUES (v_scope, p_key, p_fingerprint, v_intent_id, v_now);
    END IF;

    IF v_outcome = 'started' THEN
        INSERT INTO intents (
            id, checkout_id, rail, phone, amount_minor, asked_minor,
            status, event, created_at, deadline_at, next_action_at,
            callback_secret, attempt_reference
        ) VALUES (
            p_intent_id, p_checkout_id, p_rail, p_phone, v_checkout.amount_minor,
            asked_of(v_checkout.amount_minor, p_whole_majors_only), 'created', 'accepted', v_now,
            v_now + make_interval(secs => p_start_seconds),
            -- The bell rings first; where it does not, the sweep takes the row a second later.
            v_now + interval '1 second',
            p_callback_secret, p_attempt_reference
        );
        UPDATE intents SET status = 'reserved', event = 'reserved' WHERE id = p_intent_id;
    END IF;

    RETURN QUERY
    SELECT v_outcome, v_retry_after, i.id, i.status, i.amount_minor, i.settled_minor, i.rail
    FROM (VALUES (v_intent_id)) shown (id) LEFT JOIN intents i ON i.id = shown.id;
END $$;
