-- The one door for money. Posts what came in, once a receipt, and gives it to the attempt that it was asked for by;
-- answers false when the receipt was posted before. Only apply_evidence calls it, behind the locks of the checkout and
-- the intent.
-- The fee of a card payment is a leg of its own.
-- An intent for a second receipt was asked for as much as the first.
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
    -- The merchant gets the amount and we the fee; what has to go back is held whole.
    v_fee BIGINT := CASE WHEN p_rail = 'card' AND p_disposition = 'merchant' THEN card_fee(p_intent_id) ELSE 0 END;
BEGIN
    INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
    SELECT v_event_key, 0, decide('debit', p_rail), replace(decide('credit', p_disposition), '*', p_account_id),
        currency, p_minor - v_fee, coalesce(p_paid_at, v_now), v_now
    FROM deployment
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    IF v_fee > 0 THEN
        INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
        SELECT v_event_key, 1, decide('debit', p_rail), 'fee:card', currency, v_fee, coalesce(p_paid_at, v_now), v_now
        FROM deployment;
    END IF;

    UPDATE intents SET
        status = decide('intent', status, 'confirmed'), event = 'confirmed',
        ended_at = v_now, deadline_at = NULL, next_action_at = NULL, query_at = NULL, receipt_wanted = false,
        cause = NULL, provider_code = NULL,
        settled_minor = p_minor - v_fee, receipt = p_receipt, settled_at = v_now, disposition = p_disposition
    WHERE id = p_intent_id AND settled_at IS NULL;
    IF NOT FOUND THEN
        -- A second receipt for one attempt: the money is real, so it gets an intent of its own.
        v_intent_id := p_new_intent_id;
        INSERT INTO intents (
            id, checkout_id, account_id, handle, rail, phone, amount_minor, asked_minor,
            status, event, created_at, ended_at,
            settled_minor, receipt, settled_at, disposition
        )
        SELECT v_intent_id, checkout_id, account_id, handle, rail, phone, amount_minor, asked_minor,
            decide('intent', 'none', 'matched'), 'matched', v_now, v_now, p_minor - v_fee, p_receipt, v_now, p_disposition
        FROM intents WHERE id = p_intent_id;
    END IF;

    IF p_disposition <> 'merchant' THEN
        INSERT INTO suspense_items (event_key, leg, reason, intent_id, minor, opened_at)
        VALUES (v_event_key, 0, replace(p_disposition, 'suspense_', ''), v_intent_id, p_minor, v_now);
    END IF;
    RETURN true;
END $$;
