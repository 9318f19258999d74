-- Asks to close a refund by hand: `p_closing` is `paid` or `failed`. Nothing moves until another person agrees.
CREATE OR REPLACE FUNCTION ask_refund_closing(p_refund_id TEXT, p_closing TEXT, p_operator TEXT, p_note TEXT)
RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_refund refunds;
BEGIN
    SELECT * INTO v_refund FROM refunds WHERE id = p_refund_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN 'refund_not_found';
    ELSIF v_refund.status <> 'submitted' THEN
        RETURN 'not_sent_or_decided';
    ELSIF v_refund.next_action_at IS NOT NULL THEN
        RETURN 'still_asked';
    ELSIF v_refund.closing IS NOT NULL THEN
        RETURN 'closing_underway';
    END IF;
    UPDATE refunds SET closing = p_closing, closing_asked_by = p_operator WHERE id = p_refund_id;
    PERFORM note_action(
        p_operator, 'closing_asked', v_refund.provider || ':' || v_refund.receipt, p_closing || ': ' || p_note
    );
    RETURN 'asked';
END $$;
