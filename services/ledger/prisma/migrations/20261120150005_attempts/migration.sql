-- From a payer's wish to a prompt at the provider. Locks are taken in one order everywhere: checkout, phone, intent.

-- Starts an attempt, or re-attaches to one. `p_refusal` is the reason by which the service's own rules refuse it.
CREATE FUNCTION start_intent(
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
            WHEN p_whole_majors_only AND v_checkout.amount_minor % 100 <> 0 THEN 'amount_outside_limits'
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
            id, checkout_id, rail, phone, amount_minor, status, event, created_at, deadline_at, next_action_at,
            callback_secret, attempt_reference
        ) VALUES (
            p_intent_id, p_checkout_id, p_rail, p_phone, v_checkout.amount_minor, 'created', 'accepted', v_now,
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

-- When to ask the provider again: at an even pace while the payer waits, and while a receipt is missing that we know
-- of; then ever more seldom, for as long as a provider's statement may still show the payment.
CREATE FUNCTION next_query_at(
    p_submitted_at TIMESTAMPTZ, p_payer_waits BOOLEAN, p_receipt_wanted BOOLEAN, p_query_every_seconds DOUBLE PRECISION
)
RETURNS TIMESTAMPTZ LANGUAGE sql VOLATILE AS $$
    SELECT CASE
        WHEN p_payer_waits OR (p_receipt_wanted AND age < interval '10 minutes') THEN now_at + every
        WHEN age + seldom < interval '72 hours' THEN now_at + seldom
    END
    FROM (SELECT clock_timestamp(), clock_timestamp() - p_submitted_at, make_interval(secs => p_query_every_seconds))
        clock (now_at, age, every),
        greatest(every, least(age / 4, interval '1 hour')) pace (seldom)
$$;

-- Commits the decision to put a prompt on the wire and hands out what to send, to one caller only. Nothing comes back
-- when it was taken, has ended or is too old to start. A checkout that was paid meanwhile needs no prompt any more.
CREATE FUNCTION begin_submit(
    p_intent_id TEXT, p_deadline_seconds DOUBLE PRECISION, p_query_after_seconds DOUBLE PRECISION
)
RETURNS TABLE (rail TEXT, phone TEXT, amount_minor BIGINT, attempt_reference TEXT, callback_secret TEXT)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
BEGIN
    UPDATE intents i SET
        status = decide('intent', status, 'withheld'), event = 'withheld', cause = 'not_started',
        ended_at = v_now, deadline_at = NULL, next_action_at = NULL
    WHERE id = p_intent_id AND status = 'reserved'
        AND EXISTS (SELECT FROM intents paid WHERE paid.checkout_id = i.checkout_id AND paid.disposition = 'merchant');

    RETURN QUERY
    WITH taken AS (
        UPDATE intents SET
            status = decide('intent', status, 'submitted'), event = 'submitted', submitted_at = v_now,
            deadline_at = v_now + make_interval(secs => p_deadline_seconds),
            next_action_at = v_now + make_interval(secs => p_query_after_seconds),
            query_at = v_now + make_interval(secs => p_query_after_seconds)
        WHERE id = p_intent_id AND status = 'reserved' AND deadline_at > v_now
        RETURNING *
    ), logged AS (
        INSERT INTO wire_attempts (intent_id, rail, began_at) SELECT id, rail, v_now FROM taken
    )
    SELECT rail, phone, amount_minor, attempt_reference, callback_secret FROM taken;
END $$;

-- Records how the call to the provider ended. The answer may come after the callback, or after we gave up: it still
-- says what the provider calls the prompt. Answers no row for an intent that there is not.
CREATE FUNCTION record_submit(
    p_intent_id TEXT, p_outcome TEXT, p_provider_request_id TEXT, p_cause TEXT, p_provider_code TEXT, p_detail TEXT
)
RETURNS TABLE (status TEXT, is_conflict BOOLEAN) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
    v_event TEXT := CASE p_outcome WHEN 'accepted' THEN 'acknowledged' WHEN 'unknown' THEN NULL ELSE 'refused' END;
    v_intent RECORD;
    v_next TEXT;
BEGIN
    SELECT i.status, i.submitted_at INTO v_intent FROM intents i WHERE i.id = p_intent_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    UPDATE wire_attempts SET ended_at = v_now, outcome = p_outcome, detail = p_detail
    WHERE intent_id = p_intent_id AND ended_at IS NULL;

    v_next := CASE WHEN v_event IS NULL THEN v_intent.status ELSE decide('intent', v_intent.status, v_event) END;
    IF v_next = 'failed' AND v_intent.status <> 'failed' THEN
        UPDATE intents SET
            status = v_next, event = v_event, cause = p_cause, provider_code = p_provider_code,
            ended_at = v_now, deadline_at = NULL, next_action_at = NULL, query_at = NULL
        WHERE id = p_intent_id;
    ELSIF v_next <> 'conflict' AND v_event = 'acknowledged' THEN
        UPDATE intents SET
            status = v_next, event = CASE WHEN status = v_next THEN event ELSE v_event END,
            provider_request_id = coalesce(provider_request_id, p_provider_request_id)
        WHERE id = p_intent_id;
    END IF;
    RETURN QUERY SELECT i.status, v_next = 'conflict' FROM intents i WHERE i.id = p_intent_id;
END $$;

-- Hands out what to ask the provider, to one caller each time it is due.
CREATE FUNCTION begin_query(p_intent_id TEXT, p_query_every_seconds DOUBLE PRECISION)
RETURNS TABLE (
    rail TEXT, amount_minor BIGINT, attempt_reference TEXT, provider_request_id TEXT, submitted_at TIMESTAMPTZ,
    receipt_wanted BOOLEAN
)
LANGUAGE sql AS $$
    UPDATE intents i SET asked_at = clock_timestamp(), query_at = next.at, next_action_at = next.at
    FROM (
        SELECT id, CASE
            -- A failed attempt is asked about once, when something said that it was paid after all.
            WHEN status <> 'failed' OR receipt_wanted
            THEN next_query_at(submitted_at, ended_at IS NULL, receipt_wanted, p_query_every_seconds)
        END AS at
        FROM intents WHERE id = p_intent_id AND query_at <= clock_timestamp() FOR NO KEY UPDATE
    ) next
    WHERE i.id = next.id
    RETURNING i.rail, i.amount_minor, i.attempt_reference, i.provider_request_id, i.submitted_at, i.receipt_wanted
$$;
