-- Weighs a stored message and does what it is worth, once: the heart. Answers no row for a message that there is not,
-- and the earlier result for one that was applied before.
-- What is asked for is asked_minor, and the fee of a card.
-- A large receipt of a callback waits for the provider's own answer, which settles by it.
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
    p_deny_after_seconds DOUBLE PRECISION,
    p_report_hold_seconds DOUBLE PRECISION,
    p_is_signed BOOLEAN,
    p_unconfirmed_max_minor BIGINT DEFAULT 0
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
    SELECT m.intent_id, m.kind, m.source_known, m.is_bound, m.received_at, i.checkout_id, i.account_id INTO v_message
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
    SELECT i.status, i.rail, i.provider_request_id, i.receipt_wanted, i.reported_at, i.settled_at,
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
    IF p_fact = 'declined' AND (v_known.receipt_wanted OR v_known.reported_at IS NOT NULL) THEN
        p_fact := 'declined_after_paid';
    END IF;
    v_effect := decide('effect', v_strength, p_fact);
    IF v_effect = 'weigh_absence' THEN
        v_effect := decide('absence', decide('asking', v_known.rail), CASE
            WHEN v_known.receipt_wanted OR v_known.reported_at IS NOT NULL THEN 'paid'
            WHEN EXISTS (
                SELECT FROM provider_messages m
                WHERE m.intent_id = v_message.intent_id AND m.digest IS NOT NULL AND m.fact = 'declined'
                    AND m.kind = 'hint' AND m.source_known
            ) THEN 'declined'
            ELSE 'none'
        END);
        -- It only ends an intent whose payer has left the page without having paid, by the gateway's own notification: a
        -- browser proves nothing by opening the return address.
        p_cause := 'cancelled';
    ELSIF v_effect = 'corroborate' AND is_denied(
        v_message.intent_id, p_provider_code, v_message.received_at, p_query_every_seconds, p_deny_after_seconds
    ) THEN
        v_effect := 'decline';
    ELSIF v_effect = 'settle' AND v_message.kind = 'callback' THEN
        v_effect := callback_receipt(p_amount_minor, p_unconfirmed_max_minor, v_known.receipt_wanted);
    ELSIF v_effect = 'await_receipt' AND v_known.settled_at IS NULL THEN
        SELECT min(r.receipt), min(r.paid_at), decide('paid_answer', CASE count(*)
            WHEN 0 THEN 'none' WHEN 1 THEN 'one' ELSE 'several'
        END) INTO p_receipt, p_paid_at, v_effect
        FROM payment_reports r
        WHERE r.intent_id = v_message.intent_id AND r.strength = 'E3' AND r.receipt <> '' AND NOT EXISTS (
            SELECT FROM transfers t WHERE t.event_key = 'receipt:' || r.provider || ':' || r.receipt
        );
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
        -- The first report in order has the provider asked now, however lately it was asked.
        PERFORM ask_soon(v_message.intent_id, CASE
            WHEN v_strength = 'E3' AND v_known.reported_at IS NULL THEN 0 ELSE p_query_every_seconds
        END);
    ELSIF v_effect = 'wait' THEN
        UPDATE intents SET denied_code = NULL, denied_at = NULL
        WHERE id = v_message.intent_id AND denied_at IS NOT NULL;
    ELSIF v_effect = 'contradict' THEN
        v_result := 'contradiction';
    ELSIF v_effect = 'park' THEN
        v_result := 'parked';
    END IF;

    IF p_fact IN ('receipt', 'paid') AND v_strength <> 'E1' AND (v_message.is_bound OR p_is_signed)
        AND v_result NOT IN ('settled', 'already_settled') THEN
        PERFORM note_report(
            p_message_id, v_message.intent_id, decide('provider', v_known.rail), coalesce(p_receipt, ''),
            coalesce(p_amount_minor, v_known.asked_minor), p_report_hold_seconds, v_strength, p_paid_at
        );
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
