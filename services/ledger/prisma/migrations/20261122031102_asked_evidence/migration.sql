-- What money is judged against.

-- As before; what is asked for is asked_minor, and the fee of a card.
CREATE OR REPLACE FUNCTION apply_evidence(
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
    -- What is read of the message here never changes. Locks in the one order: the checkout, if there is one, then the
    -- intent.
    SELECT m.intent_id, m.kind, m.source_known, m.received_at, i.checkout_id, i.account_id INTO v_message
    FROM provider_messages m JOIN intents i ON i.id = m.intent_id
    WHERE m.id = p_message_id;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF v_message.checkout_id IS NOT NULL THEN
        SELECT c.account_id INTO v_message.account_id
        FROM checkouts c WHERE c.id = v_message.checkout_id FOR NO KEY UPDATE;
    END IF;
    PERFORM FROM intents i WHERE i.id = v_message.intent_id FOR NO KEY UPDATE;
    -- Whoever applied this message or settled this checkout before us has committed by now.
    SELECT i.status, i.rail, i.provider_request_id, i.receipt_wanted,
        i.asked_minor + CASE i.rail WHEN 'card' THEN card_fee(i.id) ELSE 0 END AS asked_minor,
        m.result AS earlier_result, m.strength AS earlier_strength,
        CASE WHEN w.frozen_at IS NULL THEN 'open' ELSE 'frozen' END AS wallet,
        CASE WHEN i.checkout_id IS NULL THEN
            -- A prompt without a checkout is paid by its first receipt; a second is for nothing that anybody asked for.
            CASE WHEN i.settled_at IS NULL THEN 'unpaid' ELSE 'paid' END
        WHEN EXISTS (
            SELECT FROM intents paid WHERE paid.checkout_id = i.checkout_id AND paid.disposition = 'merchant'
        ) THEN 'paid' ELSE 'unpaid' END AS checkout
    INTO v_known
    FROM intents i, provider_messages m, wallets w
    WHERE i.id = v_message.intent_id AND m.id = p_message_id AND w.account_id = v_message.account_id;
    v_status := v_known.status;
    IF v_known.earlier_result IS NOT NULL THEN
        RETURN QUERY
        SELECT v_known.earlier_result, v_status, v_status, v_message.kind, v_known.earlier_strength, NULL;
        RETURN;
    END IF;

    -- An answer to our own question that names no amount, as Airtel's never does, is about the amount that we asked
    -- for.
    IF v_message.kind = 'query_answer' THEN
        p_amount_minor := coalesce(p_amount_minor, v_known.asked_minor);
    END IF;
    v_strength := decide(
        'strength', v_message.kind,
        CASE WHEN v_message.source_known THEN 'right' ELSE 'wrong' END,
        CASE
            WHEN v_known.provider_request_id IS NULL OR p_provider_request_id = v_known.provider_request_id
                OR (p_provider_request_id IS NULL AND v_message.kind <> 'callback')
            THEN 'right' ELSE 'wrong'
        END,
        CASE WHEN p_fact NOT IN ('receipt', 'paid') OR p_amount_minor = v_known.asked_minor
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
            CASE WHEN p_amount_minor = v_known.asked_minor THEN 'exact' ELSE 'differs' END, v_known.wallet
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

-- As before; a checkout may be given what its payer was asked for.
CREATE OR REPLACE FUNCTION place_suspense(
    p_subject TEXT,
    p_checkout_id TEXT,
    p_account_id TEXT,
    p_operator TEXT,
    p_note TEXT,
    p_new_intent_id TEXT,
    p_handle TEXT DEFAULT NULL
)
RETURNS TABLE (outcome TEXT, intent_id TEXT) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
    v_provider TEXT := split_part(p_subject, ':', 1);
    v_receipt TEXT := split_part(p_subject, ':', 2);
    v_checkout checkouts;
    v_money RECORD;
    v_account_id TEXT;
    v_held intents;
    v_outcome TEXT;
BEGIN
    -- Locks in the one order: the checkout, then the receipt, then the intent.
    SELECT * INTO v_checkout FROM checkouts WHERE id = p_checkout_id FOR NO KEY UPDATE;
    PERFORM pg_advisory_xact_lock(hashtextextended('receipt:' || p_subject, 0));
    SELECT * INTO v_money FROM money_of(p_subject);
    v_account_id := coalesce(v_checkout.account_id, CASE WHEN p_checkout_id IS NULL THEN p_account_id END);
    v_outcome := CASE
        WHEN v_money.holder IS NULL OR v_money.holder NOT LIKE 'suspense:%' THEN 'not_in_suspense'
        WHEN EXISTS (
            SELECT FROM refunds r
            WHERE r.provider = v_provider AND r.receipt = v_receipt AND r.status NOT IN ('failed', 'withdrawn')
        ) THEN 'refund_underway'
        WHEN v_account_id IS NULL THEN 'checkout_not_found'
        WHEN NOT EXISTS (SELECT FROM wallets w WHERE w.account_id = v_account_id AND w.frozen_at IS NULL)
        THEN 'wallet_not_open'
        -- What was frozen of a checkout goes back to where it was, and that checkout is paid already.
        WHEN v_money.holder = 'suspense:unconfirmed' THEN 'still_unconfirmed'
        WHEN EXISTS (
            SELECT FROM intents paid WHERE paid.checkout_id = v_checkout.id AND paid.disposition = 'merchant'
        ) THEN 'checkout_paid'
        -- The setting may have changed since the payer was asked, so either amount is right.
        WHEN v_money.minor NOT IN (v_checkout.amount_minor, whole_major_up(v_checkout.amount_minor))
        THEN 'amount_differs'
        ELSE 'placed'
    END;
    IF v_outcome <> 'placed' THEN
        RETURN QUERY SELECT v_outcome, NULL;
        RETURN;
    END IF;

    PERFORM move_money('placed:' || p_subject, v_money.holder, 'wallet:' || v_account_id, v_money.minor);
    -- The attempt that brought it no longer has it.
    UPDATE intents i SET disposition = 'placed'
    WHERE i.receipt = v_receipt AND decide('provider', i.rail) = v_provider AND i.disposition LIKE 'suspense\_%'
    RETURNING i.* INTO v_held;
    INSERT INTO intents (
        id, checkout_id, account_id, handle, rail, phone, amount_minor, asked_minor,
        status, event, created_at, ended_at,
        settled_minor, receipt, settled_at, disposition
    ) VALUES (
        p_new_intent_id, v_checkout.id, CASE WHEN v_checkout.id IS NULL THEN v_account_id END,
        CASE WHEN v_checkout.id IS NULL THEN coalesce(v_held.handle, p_handle, 'suspense') END,
        coalesce(v_held.rail, CASE v_provider WHEN 'mpesa' THEN 'paybill' ELSE v_provider END),
        v_held.phone,
        coalesce(v_checkout.amount_minor, v_money.minor), v_money.minor,
        decide('intent', 'none', 'matched'), 'matched', v_now, v_now, v_money.minor, v_receipt, v_now, 'merchant'
    );
    PERFORM note_action(p_operator, 'placed', p_subject, p_note);
    RETURN QUERY SELECT v_outcome, p_new_intent_id;
END $$;
