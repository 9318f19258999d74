-- A card payment goes back as it came: the amount by whoever has it, and the fee by us. What its payer gets is the total.

-- What of a receipt is ours: nothing but the fee of a card.
CREATE FUNCTION fee_of(p_subject TEXT) RETURNS BIGINT LANGUAGE sql STABLE AS $$
    SELECT coalesce(sum(minor), 0)::bigint FROM transfers
    WHERE event_key = 'receipt:' || p_subject AND credit LIKE 'fee:%'
$$;

-- Gives the fee of a receipt back, as one more leg of the event by which its money goes back.
CREATE FUNCTION return_fee(p_subject TEXT, p_to TEXT) RETURNS VOID LANGUAGE sql AS $$
    INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
    SELECT back.event_key, max(back.leg) + 1, fee.credit, p_to, fee.currency, fee.minor,
        max(back.event_at), max(back.created_at)
    FROM transfers fee JOIN transfers back ON back.event_key = 'refunded:' || p_subject
    WHERE fee.event_key = 'receipt:' || p_subject AND fee.credit LIKE 'fee:%'
    GROUP BY back.event_key, fee.credit, fee.currency, fee.minor
$$;

-- As before; of a card payment that is the amount and the fee.
CREATE OR REPLACE FUNCTION ask_refund(
    p_refund_id TEXT, p_subject TEXT, p_sent_by TEXT, p_operator TEXT, p_note TEXT, p_callback_secret TEXT
)
RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_money RECORD;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('receipt:' || p_subject, 0));
    SELECT * INTO v_money FROM money_of(p_subject);
    IF v_money.holder IS NULL THEN
        RETURN 'nothing_to_refund';
    END IF;
    INSERT INTO refunds (id, provider, receipt, minor, sent_by, status, asked_by, asked_at, callback_secret)
    VALUES (
        p_refund_id, split_part(p_subject, ':', 1), split_part(p_subject, ':', 2), v_money.minor + fee_of(p_subject),
        p_sent_by, 'asked', p_operator, clock_timestamp(), p_callback_secret
    ) ON CONFLICT (provider, receipt) WHERE status NOT IN ('failed', 'withdrawn') DO NOTHING;
    IF NOT FOUND THEN
        RETURN 'refund_underway';
    END IF;
    PERFORM note_action(p_operator, 'refund_asked', p_subject, p_note);
    RETURN 'asked';
END $$;

-- As before; whoever holds the money gives back what they hold, and we the fee.
CREATE OR REPLACE FUNCTION settle_refund(p_refund refunds) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
    v_subject TEXT := p_refund.provider || ':' || p_refund.receipt;
    v_float TEXT := 'float:' || p_refund.provider;
    v_money RECORD;
BEGIN
    -- Locks in the one order: the checkout, then the receipt, then the intent.
    PERFORM FROM checkouts c WHERE c.id IN (
        SELECT i.checkout_id FROM intents i WHERE i.receipt = p_refund.receipt AND decide('provider', i.rail) = p_refund.provider
    ) ORDER BY c.id FOR NO KEY UPDATE;
    PERFORM pg_advisory_xact_lock(hashtextextended('receipt:' || v_subject, 0));
    SELECT * INTO v_money FROM money_of(v_subject);
    PERFORM move_money('refunded:' || v_subject, v_money.holder, v_float, v_money.minor);
    PERFORM return_fee(v_subject, v_float);
    UPDATE intents i SET
        status = decide('intent', status, 'reversed'), event = 'reversed',
        disposition = CASE disposition WHEN 'merchant' THEN 'merchant' ELSE 'refunded' END
    WHERE i.receipt = p_refund.receipt AND decide('provider', i.rail) = p_refund.provider
        AND i.status = 'completed' AND i.disposition <> 'placed';
END $$;
