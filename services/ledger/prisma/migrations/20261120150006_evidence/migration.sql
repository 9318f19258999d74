-- From what a provider said to what we believe: stored first, weighed later, and money through one door only.

-- Keeps a message word for word, or counts it when the same callback was kept before. Answers NULL when it is about no
-- attempt of ours: an unknown token, or a rail that is not the attempt's. A provider whose callbacks only hint (rule
-- `callback`) may call to one address for all attempts, without a token.
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
    SELECT p_message_id, i.id, i.rail,
        CASE p_kind WHEN 'callback' THEN decide('callback', i.rail) ELSE p_kind END, p_body,
        CASE p_kind WHEN 'callback' THEN sha256(convert_to(p_source_known::text, 'UTF8') || p_body) END,
        p_source_address, p_source_known, clock_timestamp(),
        -- The bell rings first; where it does not, the sweep takes the row a second later.
        clock_timestamp() + interval '1 second'
    FROM intents i
    WHERE i.id = p_intent_id AND i.rail = coalesce(p_rail, i.rail)
        -- Digests take as long to compare however much of a guess is right.
        AND (p_kind <> 'callback'
            OR (p_callback_secret IS NULL AND decide('callback', i.rail) = 'hint')
            OR sha256(convert_to(i.callback_secret, 'UTF8')) = sha256(convert_to(p_callback_secret, 'UTF8')))
    ON CONFLICT (intent_id, digest) WHERE digest IS NOT NULL DO UPDATE SET deliveries = kept.deliveries + 1
    RETURNING kept.id
$$;

-- The one door for money. Posts what came in, once a receipt, and gives it to the attempt that it was asked for by;
-- answers false when the receipt was posted before. Only apply_evidence calls it, behind the locks of the checkout and
-- the intent.
CREATE FUNCTION settle(
    p_intent_id TEXT,
    p_new_intent_id TEXT,
    p_account_id TEXT,
    p_rail TEXT,
    p_receipt TEXT,
    p_minor BIGINT,
    p_paid_at TIMESTAMPTZ,
    p_disposition TEXT
)
RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
    v_event_key TEXT := 'receipt:' || decide('provider', p_rail) || ':' || p_receipt;
    v_intent_id TEXT := p_intent_id;
BEGIN
    INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
    SELECT v_event_key, 0, decide('debit', p_rail), replace(decide('credit', p_disposition), '*', p_account_id),
        currency, p_minor, coalesce(p_paid_at, v_now), v_now
    FROM deployment
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN false;
    END IF;

    UPDATE intents SET
        status = decide('intent', status, 'confirmed'), event = 'confirmed',
        ended_at = v_now, deadline_at = NULL, next_action_at = NULL, query_at = NULL, receipt_wanted = false,
        cause = NULL, provider_code = NULL,
        settled_minor = p_minor, receipt = p_receipt, settled_at = v_now, disposition = p_disposition
    WHERE id = p_intent_id AND settled_at IS NULL;
    IF NOT FOUND THEN
        -- A second receipt for one attempt: the money is real, so it gets an intent of its own.
        v_intent_id := p_new_intent_id;
        INSERT INTO intents (
            id, checkout_id, rail, phone, amount_minor, status, event, created_at, ended_at,
            settled_minor, receipt, settled_at, disposition
        )
        SELECT v_intent_id, checkout_id, rail, phone, amount_minor, decide('intent', 'none', 'matched'), 'matched',
            v_now, v_now, p_minor, p_receipt, v_now, p_disposition
        FROM intents WHERE id = p_intent_id;
    END IF;

    IF p_disposition <> 'merchant' THEN
        INSERT INTO suspense_items (event_key, leg, reason, intent_id, minor, opened_at)
        VALUES (v_event_key, 0, replace(p_disposition, 'suspense_', ''), v_intent_id, p_minor, v_now);
    END IF;
    RETURN true;
END $$;

-- Ends an attempt without money, unless it has ended already. Answers what came of the evidence.
CREATE FUNCTION decline(p_intent_id TEXT, p_status TEXT, p_cause TEXT, p_provider_code TEXT)
RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_next TEXT := decide('intent', p_status, 'declined');
    v_now TIMESTAMPTZ := clock_timestamp();
BEGIN
    IF v_next = 'conflict' THEN
        RETURN 'contradiction';
    END IF;
    IF v_next = p_status THEN
        -- It ended before, and now we know that there is no money to watch for.
        UPDATE intents SET next_action_at = NULL, query_at = NULL WHERE id = p_intent_id;
        RETURN 'kept';
    END IF;
    UPDATE intents SET
        status = v_next, event = 'declined', cause = p_cause, provider_code = p_provider_code,
        ended_at = v_now, deadline_at = NULL, next_action_at = NULL, query_at = NULL
    WHERE id = p_intent_id;
    RETURN 'failed';
END $$;

-- What a query's "no" counts for: nothing alone (rule `denial`), and enough where a provider that can only hint has said
-- so before. Answers whether it ends the attempt.
CREATE FUNCTION is_denied(
    p_intent_id TEXT, p_provider_code TEXT, p_received_at TIMESTAMPTZ,
    p_query_every_seconds DOUBLE PRECISION, p_deny_after_seconds DOUBLE PRECISION
)
RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE
    v_effect TEXT;
BEGIN
    SELECT decide(
        'denial',
        CASE WHEN p_received_at < submitted_at + make_interval(secs => p_deny_after_seconds)
            THEN 'young' ELSE 'old' END,
        CASE
            WHEN EXISTS (
                SELECT FROM provider_messages m
                WHERE m.intent_id = p_intent_id AND m.fact = 'declined' AND m.kind = 'hint'
            ) THEN 'told'
            WHEN denied_code IS NULL THEN 'none'
            WHEN denied_code <> p_provider_code THEN 'other'
            WHEN p_received_at < denied_at + make_interval(secs => p_query_every_seconds) THEN 'same_too_soon'
            ELSE 'same'
        END
    )
    INTO v_effect FROM intents WHERE id = p_intent_id;
    IF v_effect = 'remember' THEN
        UPDATE intents SET denied_code = p_provider_code, denied_at = p_received_at WHERE id = p_intent_id;
    END IF;
    RETURN v_effect = 'decline';
END $$;

-- Has the sweep ask the provider as soon as it may: not more often than we ask anyway, whoever tries to make us.
CREATE FUNCTION ask_soon(p_intent_id TEXT, p_query_every_seconds DOUBLE PRECISION)
RETURNS VOID LANGUAGE sql AS $$
    UPDATE intents i SET query_at = soon.at, next_action_at = soon.at
    FROM (
        SELECT greatest(clock_timestamp(), asked_at + make_interval(secs => p_query_every_seconds))
        FROM intents WHERE id = p_intent_id
    ) soon (at)
    WHERE i.id = p_intent_id AND i.submitted_at IS NOT NULL AND i.settled_at IS NULL
        AND soon.at < coalesce(i.query_at, 'infinity')
$$;

-- Believes that it was paid and has the sweep fetch the receipt: at once, as that is another question than the one just
-- answered, and only once at once.
CREATE FUNCTION await_receipt(p_intent_id TEXT) RETURNS VOID LANGUAGE sql AS $$
    UPDATE intents SET
        receipt_wanted = true, denied_code = NULL, denied_at = NULL,
        query_at = clock_timestamp(), next_action_at = clock_timestamp()
    WHERE id = p_intent_id AND submitted_at IS NOT NULL AND settled_at IS NULL AND NOT receipt_wanted
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
RETURNS TABLE (
    result TEXT, status TEXT, status_before TEXT, kind TEXT, strength TEXT, disposition TEXT
)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_message RECORD;
    v_known RECORD;
    v_strength TEXT;
    v_effect TEXT;
    v_disposition TEXT;
    v_status TEXT;
    v_result TEXT := 'kept';
BEGIN
    -- Locks in the one order: the checkout, then the intent. What is read of the message here never changes.
    SELECT m.intent_id, m.kind, m.source_known, m.received_at, c.id AS checkout_id, c.account_id INTO v_message
    FROM provider_messages m JOIN intents i ON i.id = m.intent_id JOIN checkouts c ON c.id = i.checkout_id
    WHERE m.id = p_message_id FOR NO KEY UPDATE OF c;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    -- Whoever applied this message or settled this checkout before us has committed by now.
    SELECT i.status, i.rail, i.amount_minor, i.provider_request_id, i.receipt_wanted,
        m.result AS earlier_result, m.strength AS earlier_strength,
        CASE WHEN w.frozen_at IS NULL THEN 'open' ELSE 'frozen' END AS wallet,
        CASE WHEN EXISTS (
            SELECT FROM intents paid WHERE paid.checkout_id = v_message.checkout_id AND paid.disposition = 'merchant'
        ) THEN 'paid' ELSE 'unpaid' END AS checkout
    INTO v_known
    FROM intents i, provider_messages m, wallets w
    WHERE i.id = v_message.intent_id AND m.id = p_message_id AND w.account_id = v_message.account_id
    FOR NO KEY UPDATE OF i;
    v_status := v_known.status;
    IF v_known.earlier_result IS NOT NULL THEN
        RETURN QUERY
        SELECT v_known.earlier_result, v_status, v_status, v_message.kind, v_known.earlier_strength, NULL;
        RETURN;
    END IF;

    -- An answer to our own question that names no amount, as Airtel's never does, is about the amount that we asked for.
    IF v_message.kind = 'query_answer' THEN
        p_amount_minor := coalesce(p_amount_minor, v_known.amount_minor);
    END IF;
    v_strength := decide(
        'strength', v_message.kind,
        CASE WHEN v_message.source_known THEN 'right' ELSE 'wrong' END,
        CASE
            WHEN v_known.provider_request_id IS NULL OR p_provider_request_id = v_known.provider_request_id
                OR (p_provider_request_id IS NULL AND v_message.kind <> 'callback')
            THEN 'right' ELSE 'wrong'
        END,
        CASE WHEN p_fact NOT IN ('receipt', 'paid') OR p_amount_minor = v_known.amount_minor
            THEN 'right' ELSE 'wrong' END
    );
    IF p_fact = 'declined' AND v_known.receipt_wanted THEN
        p_fact := 'declined_after_paid';
    END IF;
    v_effect := decide('effect', v_strength, p_fact);
    IF v_effect = 'corroborate' AND is_denied(
        v_message.intent_id, p_provider_code, v_message.received_at, p_query_every_seconds, p_deny_after_seconds
    ) THEN
        v_effect := 'decline';
    END IF;

    IF v_effect = 'settle' THEN
        v_status := decide('intent', v_known.status, 'confirmed');
        v_disposition := decide(
            'disposition', v_known.checkout,
            CASE WHEN p_amount_minor = v_known.amount_minor THEN 'exact' ELSE 'differs' END, v_known.wallet
        );
        IF v_status = 'conflict' THEN
            v_result := 'contradiction';
        ELSIF settle(
            v_message.intent_id, p_new_intent_id, v_message.account_id, v_known.rail,
            p_receipt, p_amount_minor, p_paid_at, v_disposition
        ) THEN
            v_result := 'settled';
        ELSE
            v_result := 'already_settled';
        END IF;
    ELSIF v_effect = 'decline' THEN
        v_result := decline(v_message.intent_id, v_known.status, p_cause, p_provider_code);
    ELSIF v_effect = 'await_receipt' THEN
        PERFORM await_receipt(v_message.intent_id);
    ELSIF v_effect = 'ask' THEN
        PERFORM ask_soon(v_message.intent_id, p_query_every_seconds);
    ELSIF v_effect = 'wait' THEN
        UPDATE intents SET denied_code = NULL, denied_at = NULL
        WHERE id = v_message.intent_id AND denied_at IS NOT NULL;
    ELSIF v_effect = 'contradict' THEN
        v_result := 'contradiction';
    ELSIF v_effect = 'park' THEN
        v_result := 'parked';
    END IF;

    UPDATE provider_messages SET
        fact = p_fact, strength = v_strength, result = v_result,
        receipt = CASE WHEN v_effect = 'settle' THEN p_receipt END,
        applied_at = clock_timestamp(), next_action_at = NULL
    WHERE id = p_message_id;
    RETURN QUERY SELECT v_result,
        CASE v_result WHEN 'settled' THEN v_status WHEN 'failed' THEN 'failed' ELSE v_known.status END,
        v_known.status, v_message.kind, v_strength, CASE v_result WHEN 'settled' THEN v_disposition END;
END $$;
