-- Posts Pay Bill money that no attempt asked for, once a receipt, and answers whether this did. Of a checkout or a
-- handle, it gets an intent that is born settled; of nobody, it is held until a person finds its owner. `p_asked_minor`
-- is what a checkout asks for, and absent for a handle.
CREATE OR REPLACE FUNCTION settle_pay_bill(
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
