-- Starts an attempt to pay a handle, or finds the one that its key made. `p_refusal` is the reason by which the
-- service's own rules refuse it: a replay does not have to pass them again. What is in flight is no obstacle: two
-- payments to one handle are two payments.
CREATE OR REPLACE FUNCTION start_handle_intent(
    p_intent_id TEXT,
    p_account_id TEXT,
    p_handle TEXT,
    p_amount_minor BIGINT,
    p_whole_majors_only BOOLEAN,
    p_refusal TEXT,
    p_key TEXT,
    p_fingerprint BYTEA,
    p_rail TEXT,
    p_phone TEXT,
    p_callback_secret TEXT,
    p_attempt_reference TEXT,
    p_start_seconds DOUBLE PRECISION,
    p_phone_max INTEGER
)
RETURNS TABLE (
    outcome TEXT, retry_after_seconds INTEGER,
    intent_id TEXT, status TEXT, amount_minor BIGINT, settled_minor BIGINT, rail TEXT
)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_scope TEXT := 'pay handle ' || p_account_id;
    v_now TIMESTAMPTZ;
    v_outcome TEXT;
    v_intent_id TEXT;
    v_retry_after INTEGER;
BEGIN
    IF NOT EXISTS (SELECT FROM wallets w WHERE w.account_id = p_account_id AND w.frozen_at IS NULL) THEN
        RETURN QUERY SELECT 'checkout_not_found', NULL::int, NULL, NULL, NULL::bigint, NULL::bigint, NULL;
        RETURN;
    END IF;
    -- Two requests must not both count four prompts of one phone and both send a fifth.
    PERFORM pg_advisory_xact_lock(hashtextextended(p_phone, 0));
    v_now := clock_timestamp();

    SELECT r.outcome, r.intent_id INTO v_outcome, v_intent_id FROM find_replay(v_scope, p_key, p_fingerprint) r;
    v_outcome := coalesce(v_outcome, p_refusal, 'started');
    IF v_outcome = 'started' THEN
        v_retry_after := ceil(3600 - extract(epoch FROM v_now - (
            SELECT created_at FROM intents
            WHERE phone = p_phone AND created_at > v_now - interval '1 hour' AND callback_secret IS NOT NULL
            ORDER BY created_at DESC OFFSET p_phone_max - 1 LIMIT 1
        )));
        IF v_retry_after IS NOT NULL THEN
            v_outcome := 'rate_limited';
        END IF;
    END IF;

    IF v_outcome = 'started' THEN
        INSERT INTO idempotency_keys (scope, key, fingerprint, intent_id, created_at)
        VALUES (v_scope, p_key, p_fingerprint, p_intent_id, v_now) ON CONFLICT DO NOTHING;
        -- The same key for another phone at the same moment: we have waited for whoever came first, and they have
        -- committed.
        IF NOT FOUND THEN
            SELECT r.outcome, r.intent_id INTO v_outcome, v_intent_id FROM find_replay(v_scope, p_key, p_fingerprint) r;
        END IF;
    END IF;

    IF v_outcome = 'started' THEN
        v_intent_id := p_intent_id;
        INSERT INTO intents (
            id, account_id, handle, rail, phone, amount_minor, asked_minor,
            status, event, created_at, deadline_at, next_action_at,
            callback_secret, attempt_reference
        ) VALUES (
            p_intent_id, p_account_id, p_handle, p_rail, p_phone, p_amount_minor,
            asked_of(p_amount_minor, p_whole_majors_only), 'created', 'accepted', v_now,
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
