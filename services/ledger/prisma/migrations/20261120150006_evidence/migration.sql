-- From what a provider said to what we believe: stored first, weighed later, and money through one door only.

-- Keeps a message word for word, or counts it when the same callback was kept before. Answers NULL when it is about no
-- attempt of ours: an unknown token, or a rail that is not the attempt's.
CREATE FUNCTION store_provider_message(
    p_message_id TEXT,
    p_intent_id TEXT,
    p_callback_secret TEXT,
    p_rail TEXT,
    p_kind TEXT,
    p_body BYTEA,
    p_source_address TEXT,
    p_source_known BOOLEAN
)
RETURNS TEXT LANGUAGE sql AS $$
    INSERT INTO provider_messages AS kept (
        id, intent_id, rail, kind, body, digest, source_address, source_known, received_at, next_action_at
    )
    SELECT p_message_id, i.id, i.rail, p_kind, p_body,
        CASE p_kind WHEN 'callback' THEN sha256(convert_to(p_source_known::text, 'UTF8') || p_body) END,
        p_source_address, p_source_known, clock_timestamp(),
        -- The bell rings first; where it does not, the sweep takes the row a second later.
        clock_timestamp() + interval '1 second'
    FROM intents i
    WHERE i.id = p_intent_id AND i.rail = coalesce(p_rail, i.rail)
        -- Digests take as long to compare however much of a guess is right.
        AND (p_kind <> 'callback'
            OR sha256(convert_to(i.callback_secret, 'UTF8')) = sha256(convert_to(p_callback_secret, 'UTF8')))
    ON CONFLICT (intent_id, digest) WHERE digest IS NOT NULL DO UPDATE SET deliveries = kept.deliveries + 1
    RETURNING kept.id
$$;

-- The one door for money. Posts what came in, once a receipt, and says where it went; NULL when the receipt was posted
-- before. Only apply_evidence calls it, behind the locks of the checkout and the intent.
CREATE FUNCTION settle(
    p_intent intents,
    p_checkout checkouts,
    p_event_key TEXT,
    p_receipt TEXT,
    p_amount_minor BIGINT,
    p_paid_at TIMESTAMPTZ,
    p_new_intent_id TEXT
)
RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
    v_disposition TEXT := decide(
        'disposition',
        CASE WHEN p_checkout.completed_at IS NULL THEN 'unpaid' ELSE 'paid' END,
        CASE WHEN p_amount_minor = p_intent.amount_minor THEN 'exact' ELSE 'differs' END,
        (SELECT CASE WHEN frozen_at IS NULL THEN 'open' ELSE 'frozen' END
         FROM wallets WHERE account_id = p_checkout.account_id)
    );
    v_settled_intent_id TEXT := p_intent.id;
BEGIN
    INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
    SELECT p_event_key, 0, decide('debit', p_intent.rail),
        replace(decide('credit', v_disposition), '*', p_checkout.account_id),
        currency, p_amount_minor, coalesce(p_paid_at, v_now), v_now
    FROM deployment
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;

    IF p_intent.settled_at IS NULL THEN
        UPDATE intents SET
            status = decide('intent', status, 'confirmed'), event = 'confirmed', ended_at = v_now,
            deadline_at = NULL, next_action_at = NULL, query_at = NULL, receipt_wanted = false,
            cause = NULL, provider_code = NULL,
            settled_minor = p_amount_minor, receipt = p_receipt, settled_at = v_now, disposition = v_disposition
        WHERE id = p_intent.id;
    ELSE
        -- A second receipt for one attempt: the money is real, so it gets an intent of its own.
        v_settled_intent_id := p_new_intent_id;
        INSERT INTO intents (
            id, checkout_id, rail, phone, amount_minor, status, event, created_at, ended_at,
            settled_minor, receipt, settled_at, disposition
        ) VALUES (
            p_new_intent_id, p_intent.checkout_id, p_intent.rail, p_intent.phone, p_intent.amount_minor,
            decide('intent', 'none', 'matched'), 'matched', v_now, v_now,
            p_amount_minor, p_receipt, v_now, v_disposition
        );
    END IF;

    IF v_disposition = 'merchant' THEN
        UPDATE checkouts SET completed_at = v_now, settled_intent_id = v_settled_intent_id WHERE id = p_checkout.id;
    ELSE
        INSERT INTO suspense_items (event_key, leg, reason, intent_id, minor, opened_at)
        VALUES (p_event_key, 0, replace(v_disposition, 'suspense_', ''), v_settled_intent_id, p_amount_minor, v_now);
    END IF;
    RETURN v_disposition;
END $$;

-- What a query's "no" counts for: nothing alone (rule `denial`). Answers whether it ends the attempt.
CREATE FUNCTION is_denied(
    p_intent intents, p_code TEXT, p_received_at TIMESTAMPTZ,
    p_query_every_seconds DOUBLE PRECISION, p_deny_after_seconds DOUBLE PRECISION
)
RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE
    v_effect TEXT := decide(
        'denial',
        CASE WHEN p_received_at < p_intent.submitted_at + make_interval(secs => p_deny_after_seconds)
            THEN 'young' ELSE 'old' END,
        CASE
            WHEN p_intent.denied_code IS NULL THEN 'none'
            WHEN p_intent.denied_code <> p_code THEN 'other'
            WHEN p_received_at < p_intent.denied_at + make_interval(secs => p_query_every_seconds)
            THEN 'same_too_soon'
            ELSE 'same'
        END
    );
BEGIN
    IF v_effect = 'remember' THEN
        UPDATE intents SET denied_code = p_code, denied_at = p_received_at WHERE id = p_intent.id;
    END IF;
    RETURN v_effect = 'decline';
END $$;

-- Ends an attempt without money, unless it has ended already. Answers what came of the evidence.
CREATE FUNCTION decline(p_intent intents, p_cause TEXT, p_provider_code TEXT)
RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_next TEXT := decide('intent', p_intent.status, 'declined');
    v_now TIMESTAMPTZ := clock_timestamp();
BEGIN
    IF v_next = 'conflict' THEN
        RETURN 'contradiction';
    END IF;
    IF v_next = p_intent.status THEN
        -- It ended before, and now we know that there is no money to watch for.
        UPDATE intents SET next_action_at = NULL, query_at = NULL WHERE id = p_intent.id;
        RETURN 'kept';
    END IF;
    UPDATE intents SET
        status = v_next, event = 'declined', cause = p_cause, provider_code = p_provider_code,
        ended_at = v_now, deadline_at = NULL, next_action_at = NULL, query_at = NULL
    WHERE id = p_intent.id;
    RETURN 'failed';
END $$;

-- Has the sweep ask the provider at once, but not more often than it asks anyway, whoever tries to make us.
CREATE FUNCTION ask_soon(p_intent intents, p_query_every_seconds DOUBLE PRECISION)
RETURNS VOID LANGUAGE sql AS $$
    UPDATE intents i SET query_at = soon.at, next_action_at = soon.at
    FROM (SELECT greatest(clock_timestamp(), p_intent.asked_at + make_interval(secs => p_query_every_seconds))) soon (at)
    WHERE i.id = p_intent.id AND i.submitted_at IS NOT NULL AND i.settled_at IS NULL
        AND soon.at < coalesce(i.query_at, 'infinity')
$$;

-- Weighs a stored message and does what it is worth, once: the heart. Answers no row for a message that there is not,
-- and the earlier result for one that was applied before.
CREATE FUNCTION apply_evidence(
    p_message_id TEXT,
    p_fact TEXT,
    p_receipt TEXT,
    p_amount_minor BIGINT,
    p_paid_at TIMESTAMPTZ,
    p_provider_request_id TEXT,
    p_cause TEXT,
    p_provider_code TEXT,
    p_new_intent_id TEXT,
    p_query_every_seconds DOUBLE PRECISION,
    p_deny_after_seconds DOUBLE PRECISION
)
RETURNS TABLE (result TEXT, status TEXT, status_before TEXT, strength TEXT, disposition TEXT)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_message RECORD;
    v_checkout checkouts;
    v_intent intents;
    v_fact TEXT;
    v_strength TEXT;
    v_effect TEXT;
    v_event_key TEXT;
    v_disposition TEXT;
    v_result TEXT := 'kept';
BEGIN
    -- The message never changes whom it is about, so this needs no lock; what follows locks in the one order.
    SELECT i.id AS intent_id, i.checkout_id INTO v_message
    FROM provider_messages m JOIN intents i ON i.id = m.intent_id WHERE m.id = p_message_id;
    SELECT * INTO v_checkout FROM checkouts WHERE id = v_message.checkout_id FOR NO KEY UPDATE;
    SELECT * INTO v_intent FROM intents WHERE id = v_message.intent_id FOR NO KEY UPDATE;
    SELECT m.kind, m.source_known, m.received_at, m.result, m.strength INTO v_message
    FROM provider_messages m WHERE m.id = p_message_id;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF v_message.result IS NOT NULL THEN
        RETURN QUERY SELECT v_message.result, v_intent.status, v_intent.status, v_message.strength, NULL;
        RETURN;
    END IF;

    v_fact := CASE WHEN p_fact = 'declined' AND v_intent.receipt_wanted THEN 'declined_after_paid' ELSE p_fact END;
    v_strength := decide(
        'strength', v_message.kind,
        CASE WHEN v_message.source_known THEN 'right' ELSE 'wrong' END,
        CASE
            WHEN v_intent.provider_request_id IS NULL OR p_provider_request_id = v_intent.provider_request_id
                OR (p_provider_request_id IS NULL AND v_message.kind <> 'callback')
            THEN 'right' ELSE 'wrong'
        END,
        CASE WHEN p_fact NOT IN ('receipt', 'paid') OR p_amount_minor = v_intent.amount_minor
            THEN 'right' ELSE 'wrong' END
    );
    v_effect := decide('effect', v_strength, v_fact);
    IF v_effect = 'corroborate' AND is_denied(
        v_intent, p_provider_code, v_message.received_at, p_query_every_seconds, p_deny_after_seconds
    ) THEN
        v_effect := 'decline';
    END IF;

    CASE v_effect
        WHEN 'settle' THEN
            IF decide('intent', v_intent.status, 'confirmed') = 'conflict' THEN
                v_result := 'contradiction';
            ELSE
                v_event_key := 'receipt:' || decide('provider', v_intent.rail) || ':' || p_receipt;
                v_disposition := settle(
                    v_intent, v_checkout, v_event_key, p_receipt, p_amount_minor, p_paid_at, p_new_intent_id
                );
                v_result := CASE WHEN v_disposition IS NULL THEN 'already_settled' ELSE 'settled' END;
            END IF;
        WHEN 'await_receipt' THEN
            UPDATE intents SET receipt_wanted = true, denied_code = NULL, denied_at = NULL
            WHERE id = v_intent.id AND settled_at IS NULL AND NOT receipt_wanted;
            -- What is asked for now is another answer than the one that we have just had.
            IF FOUND THEN
                v_intent.asked_at := NULL;
                PERFORM ask_soon(v_intent, p_query_every_seconds);
            END IF;
        WHEN 'decline' THEN
            v_result := decline(v_intent, p_cause, p_provider_code);
        WHEN 'ask' THEN
            PERFORM ask_soon(v_intent, p_query_every_seconds);
        WHEN 'wait' THEN
            UPDATE intents SET denied_code = NULL, denied_at = NULL WHERE id = v_intent.id AND denied_at IS NOT NULL;
        WHEN 'contradict' THEN
            v_result := 'contradiction';
        WHEN 'park' THEN
            v_result := 'parked';
        ELSE
            NULL;
    END CASE;

    UPDATE provider_messages SET
        fact = v_fact, strength = v_strength, result = v_result, event_key = v_event_key,
        applied_at = clock_timestamp(), next_action_at = NULL
    WHERE id = p_message_id;
    RETURN QUERY
    SELECT v_result, i.status, v_intent.status, v_strength, v_disposition FROM intents i WHERE i.id = v_intent.id;
END $$;
