-- Asks for a refund of all that came with a receipt, for another person to agree to.
-- Of a card payment that is the amount and the fee.
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
