-- Money for a handle: an attempt that no checkout asked for. It names whom it pays itself, and by which handle.

ALTER TABLE intents
    ALTER COLUMN checkout_id DROP NOT NULL,
    ADD COLUMN account_id TEXT,
    ADD COLUMN handle TEXT,
    ADD CONSTRAINT intents_account_id_fkey FOREIGN KEY (account_id) REFERENCES wallets (account_id)
        ON DELETE RESTRICT ON UPDATE RESTRICT;
-- The payments to handles of an account, and nothing of those to its checkouts.
CREATE INDEX intents_account_id_created_at_idx ON intents (account_id, created_at) WHERE account_id IS NOT NULL;

DROP TRIGGER intents_stay_as_asked ON intents;
CREATE TRIGGER intents_stay_as_asked
    BEFORE UPDATE OF
        id, checkout_id, account_id, handle, rail, phone, amount_minor, created_at, callback_secret, attempt_reference
    ON intents EXECUTE FUNCTION refuse_change('it is what the payer was asked for');

-- How an intent begins.
CREATE OR REPLACE FUNCTION keep_births_sound() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    v_broken TEXT := CASE
        WHEN NEW.id !~ '^pi_[0-9a-f]{24}$' THEN 'id'
        WHEN num_nonnulls(NEW.checkout_id, NEW.account_id) <> 1 THEN 'account_id'
        WHEN (NEW.account_id IS NULL) <> (NEW.handle IS NULL) THEN 'handle'
        WHEN NEW.rail NOT IN ('mpesa', 'mtn_momo', 'airtel_money', 'card', 'paybill') THEN 'rail'
        WHEN NEW.amount_minor <= 0 THEN 'amount_minor'
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
    RETURN NEW;
END $$;

-- The one door for money. Posts what came in, once a receipt, and gives it to the attempt that it was asked for by;
-- answers false when the receipt was posted before. Only apply_evidence calls it, behind the locks of the checkout and
-- the intent.
CREATE OR REPLACE FUNCTION settle(
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
            id, checkout_id, account_id, handle, rail, phone, amount_minor, status, event, created_at, ended_at,
            settled_minor, receipt, settled_at, disposition
        )
        SELECT v_intent_id, checkout_id, account_id, handle, rail, phone, amount_minor,
            decide('intent', 'none', 'matched'), 'matched', v_now, v_now, p_minor, p_receipt, v_now, p_disposition
        FROM intents WHERE id = p_intent_id;
    END IF;

    IF p_disposition <> 'merchant' THEN
        INSERT INTO suspense_items (event_key, leg, reason, intent_id, minor, opened_at)
        VALUES (v_event_key, 0, replace(p_disposition, 'suspense_', ''), v_intent_id, p_minor, v_now);
    END IF;
    RETURN true;
END $$;

-- Weighs a stored message and does what it is worth, once: the heart. Answers no row for a message that there is not,
-- and the earlier result for one that was applied before.
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
    SELECT i.status, i.rail, i.amount_minor, i.provider_request_id, i.receipt_wanted,
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
