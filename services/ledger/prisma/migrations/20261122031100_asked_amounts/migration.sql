-- Cents on a rail that takes whole shillings only. What a payer is asked for is the amount, or the amount rounded up to
-- the whole shilling. It is kept with each intent, and money is judged against it. The amount stays what was agreed.

CREATE FUNCTION whole_major_up(p_minor BIGINT) RETURNS BIGINT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT (p_minor + 99) / 100 * 100
$$;

CREATE FUNCTION asked_of(p_amount_minor BIGINT, p_whole_majors_only BOOLEAN) RETURNS BIGINT
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN p_whole_majors_only THEN whole_major_up(p_amount_minor) ELSE p_amount_minor END
$$;

-- Every intent so far asked for its amount. A trigger refuses each UPDATE that names a column of what was asked, so the
-- column is filled before it is one of them.
ALTER TABLE intents ADD COLUMN asked_minor BIGINT;
UPDATE intents SET asked_minor = amount_minor;
ALTER TABLE intents ALTER COLUMN asked_minor SET NOT NULL;

DROP TRIGGER intents_stay_as_asked ON intents;
CREATE TRIGGER intents_stay_as_asked
    BEFORE UPDATE OF
        id, checkout_id, account_id, handle, rail, phone, amount_minor, asked_minor, created_at, callback_secret,
        attempt_reference
    ON intents EXECUTE FUNCTION refuse_change('it is what the payer was asked for');

-- As before; what is asked for is the amount, unless something else is said.
CREATE OR REPLACE FUNCTION keep_births_sound() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    v_broken TEXT := CASE
        WHEN NEW.id !~ '^pi_[0-9a-f]{24}$' THEN 'id'
        WHEN num_nonnulls(NEW.checkout_id, NEW.account_id) <> 1 THEN 'account_id'
        WHEN (NEW.account_id IS NULL) <> (NEW.handle IS NULL) THEN 'handle'
        WHEN NEW.rail NOT IN ('mpesa', 'mtn_momo', 'airtel_money', 'card', 'paybill') THEN 'rail'
        WHEN NEW.amount_minor <= 0 THEN 'amount_minor'
        WHEN NEW.asked_minor NOT IN (NEW.amount_minor, whole_major_up(NEW.amount_minor)) THEN 'asked_minor'
        WHEN char_length(NEW.phone) NOT BETWEEN 1 AND 64 THEN 'phone'
        WHEN (NEW.callback_secret IS NULL) <> (NEW.attempt_reference IS NULL) THEN 'callback_secret'
        -- M-Pesa may report the same payment as a Pay Bill payment, and then `CS` and 8 digits are a checkout.
        WHEN NEW.attempt_reference !~ '^[A-Z0-9]{1,12}$' OR NEW.attempt_reference ~ '^CS[0-9]{8}$'
        THEN 'attempt_reference'
    END;
BEGIN
    IF v_broken IS NOT NULL THEN
        RAISE EXCEPTION 'an intent cannot begin with this %', v_broken
            USING ERRCODE = 'check_violation', COLUMN = v_broken;
    END IF;
    -- A rail that takes cents, a card and the money of a handle ask for the amount itself.
    NEW.asked_minor := coalesce(NEW.asked_minor, NEW.amount_minor);
    RETURN NEW;
END $$;

-- As before; a rail of whole shillings is asked for whole shillings.
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

-- As before, and likewise.
DROP FUNCTION start_handle_intent(
    TEXT, TEXT, TEXT, BIGINT, TEXT, TEXT, BYTEA, TEXT, TEXT, TEXT, TEXT, DOUBLE PRECISION, INTEGER
);
CREATE FUNCTION start_handle_intent(
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
