-- Cards. A payer pays on a page of the gateway: the amount, which is the merchant's, and a fee, which is ours. `float:card`
-- is what the acquiring bank owes us until it pays out.

ALTER TABLE accounts
    DROP CONSTRAINT accounts_id_shape,
    ADD CONSTRAINT accounts_id_shape CHECK (id ~ '^(wallet|float|suspense|receivable|fee):.{1,64}$');

-- The page in which an attempt by card is paid.
CREATE TABLE card_sessions (
    intent_id TEXT NOT NULL,
    fee_minor BIGINT NOT NULL,
    expires_at TIMESTAMPTZ(6) NOT NULL,
    -- What the payer gave for the gateway, which we cannot read: until it is handed out, and no longer.
    sealed_payer BYTEA,
    -- What the gateway calls it, and what the browser of a payer who has paid brings back.
    session_id TEXT,
    success_indicator TEXT,

    CONSTRAINT card_sessions_pkey PRIMARY KEY (intent_id),
    CONSTRAINT card_sessions_intent_id_fkey FOREIGN KEY (intent_id) REFERENCES intents (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT card_sessions_fee_is_not_negative CHECK (fee_minor >= 0),
    CONSTRAINT card_sessions_payer_length CHECK (octet_length(sealed_payer) <= 2048),
    CONSTRAINT card_sessions_are_opened_whole CHECK ((session_id IS NULL) = (success_indicator IS NULL))
);
CREATE TRIGGER card_sessions_never_go BEFORE DELETE OR TRUNCATE ON card_sessions
    EXECUTE FUNCTION refuse_change('it is never removed');
CREATE TRIGGER card_sessions_stay_as_asked BEFORE UPDATE OF intent_id, fee_minor, expires_at ON card_sessions
    EXECUTE FUNCTION refuse_change('it is what the payer was asked for');

-- Whatever becomes of an attempt, its payer is forgotten in the same moment.
CREATE FUNCTION forget_payer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE card_sessions SET sealed_payer = NULL WHERE intent_id = NEW.id AND sealed_payer IS NOT NULL;
    RETURN NULL;
END $$;
CREATE TRIGGER intents_forget_their_payer AFTER UPDATE OF status ON intents
    FOR EACH ROW WHEN (NEW.rail = 'card' AND OLD.status = 'reserved') EXECUTE FUNCTION forget_payer();

-- What the payer is asked for beside the amount; nothing but of a card.
CREATE FUNCTION card_fee(p_intent_id TEXT) RETURNS BIGINT LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT fee_minor FROM card_sessions WHERE intent_id = p_intent_id), 0)
$$;

-- Starts an attempt by card, or finds the one that its key made. `p_fee_minor` is absent where a card cannot pay the
-- amount, or nobody takes cards here. Nobody's phone rings, so it is no prompt and has no address to call back.
CREATE FUNCTION start_card_intent(
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

-- As before; of an attempt by card the deadline is the end of its session, and some seconds more, in which what was paid
-- at the last moment is heard of. Whom it is for is handed out with it, and forgotten.
DROP FUNCTION begin_submit(TEXT, DOUBLE PRECISION, DOUBLE PRECISION);
CREATE FUNCTION begin_submit(
    p_intent_id TEXT,
    p_deadline_seconds DOUBLE PRECISION,
    p_query_after_seconds DOUBLE PRECISION,
    p_card_query_after_seconds DOUBLE PRECISION
)
RETURNS TABLE (
    rail TEXT, phone TEXT, amount_minor BIGINT, attempt_reference TEXT, callback_secret TEXT,
    checkout_id TEXT, fee_minor BIGINT, expires_at TIMESTAMPTZ, sealed_payer BYTEA
)
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
    WITH asked AS (
        SELECT p_intent_id AS id, c.fee_minor, c.expires_at, c.sealed_payer,
            CASE WHEN c.intent_id IS NULL THEN v_now + make_interval(secs => p_deadline_seconds)
                ELSE c.expires_at + interval '30 seconds' END AS deadline_at,
            v_now + make_interval(secs => CASE WHEN c.intent_id IS NULL THEN p_query_after_seconds
                ELSE p_card_query_after_seconds END) AS query_at
        FROM (VALUES (p_intent_id)) given (id) LEFT JOIN card_sessions c ON c.intent_id = given.id
    ), taken AS (
        UPDATE intents i SET
            status = decide('intent', i.status, 'submitted'), event = 'submitted', submitted_at = v_now,
            deadline_at = asked.deadline_at, next_action_at = asked.query_at, query_at = asked.query_at
        FROM asked
        WHERE i.id = asked.id AND i.status = 'reserved' AND i.deadline_at > v_now
        RETURNING i.*
    ), logged AS (
        INSERT INTO wire_attempts (intent_id, rail, began_at) SELECT id, rail, v_now FROM taken
    )
    SELECT taken.rail, taken.phone, taken.amount_minor, taken.attempt_reference, taken.callback_secret,
        taken.checkout_id, asked.fee_minor, asked.expires_at, asked.sealed_payer
    FROM taken JOIN asked USING (id);
END $$;
