-- Gives money that is held to its owner: exactly its amount to a checkout, or any amount to a wallet. Whoever gets it
-- has a payment of it, with the receipt that the payer has. Answers the reason where it is refused.
-- A checkout may be given what its payer was asked for.
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
        WHEN v_money.minor NOT IN (v_checkout.amount_minor, (v_checkout.amount_minor + 99) / 100 * 100)
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
    WHERE i.receipt = v_receipt AND CASE i.rail WHEN 'paybill' THEN 'mpesa' ELSE i.rail END = v_provider AND i.disposition LIKE 'suspense\_%'
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
        'completed', 'matched', v_now, v_now, v_money.minor, v_receipt, v_now, 'merchant'
    );
    PERFORM note_action(p_operator, 'placed', p_subject, p_note);
    RETURN QUERY SELECT v_outcome, p_new_intent_id;
END $$;
