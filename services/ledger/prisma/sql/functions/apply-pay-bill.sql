-- Weighs a Pay Bill message and posts its money, once. Answers no row for a message that there is not, and the earlier
-- result for one that was applied before. `p_account` is what the payer typed, without case, spaces and dashes, and
-- `p_payee_account_id` whose handle that is, where it is one. `p_is_within_limits` says whether such an amount may be
-- paid in this country, and `p_is_sealed` whether our answer to the provider's validation came back as it must.
-- A large payment waits for the statement, whatever the callback brings back.
CREATE OR REPLACE FUNCTION apply_pay_bill(
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
    p_hold_seconds DOUBLE PRECISION,
    p_new_intent_id TEXT,
    p_unconfirmed_max_minor BIGINT DEFAULT 0
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
    IF v_effect = 'settle' AND v_message.kind = 'callback' THEN
        v_effect := callback_receipt(p_amount_minor, p_unconfirmed_max_minor, false);
    END IF;
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
    ELSIF v_effect = 'ask' AND p_fact = 'receipt' THEN
        INSERT INTO pay_bill_reports (message_id, receipt, checkout_id, minor, reported_at, held_until)
        VALUES (
            p_message_id, p_receipt, v_checkout.id, p_amount_minor, clock_timestamp(),
            clock_timestamp() + make_interval(secs => p_hold_seconds)
        );
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
