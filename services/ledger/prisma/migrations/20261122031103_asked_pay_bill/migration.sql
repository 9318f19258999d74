-- What money from the menu is judged against.

-- As before; `p_amount_minor` is the amount of the checkout or the prompt, and `p_asked_minor` what its payer is asked
-- for. Both are absent for a handle, whose payer says how much.
DROP FUNCTION settle_pay_bill(TEXT, TEXT, TEXT, TEXT, BIGINT, TEXT, TEXT, BIGINT, TIMESTAMPTZ, TEXT);
CREATE FUNCTION settle_pay_bill(
    p_new_intent_id TEXT,
    p_account_id TEXT,
    p_checkout_id TEXT,
    p_handle TEXT,
    p_amount_minor BIGINT,
    p_asked_minor BIGINT,
    p_phone TEXT,
    p_receipt TEXT,
    p_minor BIGINT,
    p_paid_at TIMESTAMPTZ,
    p_disposition TEXT
)
RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
    v_event_key TEXT := 'receipt:' || decide('provider', 'paybill') || ':' || p_receipt;
BEGIN
    INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
    SELECT v_event_key, 0, decide('debit', 'paybill'),
        replace(decide('credit', p_disposition), '*', coalesce(p_account_id, '')),
        currency, p_minor, coalesce(p_paid_at, v_now), v_now
    FROM deployment
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN false;
    END IF;

    IF p_account_id IS NOT NULL THEN
        INSERT INTO intents (
            id, checkout_id, account_id, handle, rail, phone, amount_minor, asked_minor,
            status, event, created_at, ended_at,
            settled_minor, receipt, settled_at, disposition
        ) VALUES (
            p_new_intent_id, p_checkout_id, CASE WHEN p_checkout_id IS NULL THEN p_account_id END, p_handle,
            'paybill', p_phone, coalesce(p_amount_minor, p_minor), coalesce(p_asked_minor, p_minor),
            decide('intent', 'none', 'matched'), 'matched', v_now, v_now, p_minor, p_receipt, v_now, p_disposition
        );
    END IF;
    IF p_disposition <> 'merchant' THEN
        INSERT INTO suspense_items (event_key, leg, reason, intent_id, minor, opened_at)
        VALUES (
            v_event_key, 0, replace(p_disposition, 'suspense_', ''),
            CASE WHEN p_account_id IS NOT NULL THEN p_new_intent_id END, p_minor, v_now
        );
    END IF;
    RETURN true;
END $$;

-- As before; the payer of a checkout is asked for whole shillings where `p_whole_majors_only` says so, and the payer
-- of a prompt for what the prompt asked.
DROP FUNCTION apply_pay_bill(
    TEXT, TEXT, TEXT, BIGINT, TIMESTAMPTZ, TEXT, TEXT, TEXT, TEXT, BOOLEAN, BOOLEAN, TEXT
);
CREATE FUNCTION apply_pay_bill(
    p_message_id TEXT,
    p_fact TEXT,
    p_receipt TEXT,
    p_amount_minor BIGINT,
    p_paid_at TIMESTAMPTZ,
    p_account TEXT,
    p_payee_account_id TEXT,
    p_payee_handle TEXT,
    p_phone TEXT,
    p_is_within_limits BOOLEAN,
    p_is_sealed BOOLEAN,
    p_whole_majors_only BOOLEAN,
    p_new_intent_id TEXT
)
RETURNS TABLE (
    result TEXT, status TEXT, status_before TEXT, kind TEXT, strength TEXT, disposition TEXT
)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_message RECORD;
    v_checkout checkouts;
    v_asked_minor BIGINT;
    v_attempt RECORD;
    v_wallet wallets;
    v_strength TEXT;
    v_effect TEXT;
    -- Of money that nobody can be found for.
    v_disposition TEXT := 'suspense_unmatched';
    v_result TEXT := 'kept';
    v_is_posted BOOLEAN;
BEGIN
    -- Locks in the one order: the checkout, then the intent.
    SELECT * INTO v_checkout FROM checkouts c WHERE c.id = coalesce(
        (SELECT checkout_id FROM intents i WHERE i.attempt_reference = p_account),
        (SELECT checkout_id FROM pay_bill_numbers n WHERE n.number = p_account)
    ) FOR NO KEY UPDATE;
    SELECT i.id, i.status, i.rail, i.account_id, i.handle, i.amount_minor, i.asked_minor, i.settled_at
    INTO v_attempt FROM intents i
    WHERE i.attempt_reference = p_account FOR NO KEY UPDATE;
    SELECT m.kind, m.source_known, m.result, m.strength INTO v_message
    FROM provider_messages m WHERE m.id = p_message_id AND m.rail = 'paybill' FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF v_message.result IS NOT NULL THEN
        RETURN QUERY SELECT v_message.result, v_attempt.status, v_attempt.status, v_message.kind,
            v_message.strength, NULL;
        RETURN;
    END IF;

    v_strength := decide(
        'strength', v_message.kind,
        CASE WHEN v_message.source_known THEN 'right' ELSE 'wrong' END,
        CASE WHEN p_is_sealed THEN 'right' ELSE 'wrong' END,
        -- Nobody was asked for this money, so no amount of it contradicts what we know.
        'right'
    );
    v_effect := decide('effect', v_strength, p_fact);
    -- A number of ours is never anybody's handle, so the handle is the last that the account number can mean. A handle
    -- without a wallet here is nobody's: its money is in another country.
    SELECT * INTO v_wallet FROM wallets w
    WHERE w.account_id = coalesce(v_checkout.account_id, v_attempt.account_id, p_payee_account_id);
    v_asked_minor := CASE WHEN v_attempt.id IS NOT NULL THEN v_attempt.asked_minor
        ELSE asked_of(v_checkout.amount_minor, p_whole_majors_only) END;
    IF v_effect = 'settle' THEN
        IF v_wallet.account_id IS NOT NULL THEN
            v_disposition := decide(
                'disposition',
                CASE WHEN v_attempt.account_id IS NOT NULL AND v_attempt.settled_at IS NOT NULL OR EXISTS (
                    SELECT FROM intents paid
                    WHERE paid.checkout_id = v_checkout.id AND paid.disposition = 'merchant'
                ) THEN 'paid' ELSE 'unpaid' END,
                CASE WHEN CASE
                    WHEN v_asked_minor IS NOT NULL THEN p_amount_minor = v_asked_minor
                    ELSE p_is_within_limits
                END THEN 'exact' ELSE 'differs' END,
                CASE WHEN v_wallet.frozen_at IS NULL THEN 'open' ELSE 'frozen' END
            );
        END IF;
        -- A prompt's payment that is told as this one belongs to its attempt. One that was never sent took no money, so
        -- somebody has typed its reference.
        IF v_attempt.id IS NOT NULL AND decide('intent', v_attempt.status, 'confirmed') <> 'conflict' THEN
            v_is_posted := settle(
                v_attempt.id, p_new_intent_id, v_wallet.account_id, v_attempt.rail,
                p_receipt, p_amount_minor, p_paid_at, v_disposition
            );
        ELSE
            v_is_posted := settle_pay_bill(
                p_new_intent_id, v_wallet.account_id, v_checkout.id,
                CASE WHEN v_checkout.id IS NULL THEN coalesce(v_attempt.handle, p_payee_handle) END,
                coalesce(v_checkout.amount_minor, v_attempt.amount_minor), v_asked_minor,
                p_phone, p_receipt, p_amount_minor, p_paid_at, v_disposition
            );
        END IF;
        v_result := CASE WHEN v_is_posted THEN 'settled' ELSE 'already_settled' END;
    ELSIF v_effect = 'park' THEN
        v_result := 'parked';
    END IF;
    -- What is weaker is kept: the provider's statement will say whether the money is there.

    UPDATE provider_messages SET
        fact = p_fact, strength = v_strength, result = v_result,
        receipt = CASE WHEN v_effect = 'settle' THEN p_receipt END,
        applied_at = clock_timestamp(), next_action_at = NULL
    WHERE id = p_message_id;
    RETURN QUERY SELECT v_result,
        CASE WHEN v_result = 'settled' AND v_wallet.account_id IS NOT NULL THEN 'completed' ELSE v_attempt.status END,
        v_attempt.status, v_message.kind, v_strength, CASE v_result WHEN 'settled' THEN v_disposition END;
END $$;
