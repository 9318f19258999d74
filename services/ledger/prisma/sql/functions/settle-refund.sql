-- Posts that the money of a receipt went back, once, and reverses the payment that had it (T18).
-- Whoever holds the money gives back what they hold, and we the fee.
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
