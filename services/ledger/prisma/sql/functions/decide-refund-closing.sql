-- Agrees to a closing that another person asked for, or withdraws it. Answers what the refund has become.
-- A closing that a name of the past asked for is withdrawn and asked again.
CREATE OR REPLACE FUNCTION decide_refund_closing(p_refund_id TEXT, p_is_agreed BOOLEAN, p_operator TEXT, p_note TEXT)
RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_refund refunds;
    v_next TEXT;
BEGIN
    SELECT * INTO v_refund FROM refunds WHERE id = p_refund_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN 'refund_not_found';
    ELSIF v_refund.closing IS NULL OR v_refund.closed_by IS NOT NULL THEN
        RETURN 'no_closing';
    ELSIF p_is_agreed AND NOT are_two_operators(v_refund.closing_asked_by, p_operator) THEN
        RETURN 'needs_another';
    ELSIF p_is_agreed AND v_refund.status <> 'submitted' THEN
        -- The provider has spoken meanwhile, and it knows.
        RETURN 'provider_decided';
    END IF;
    IF p_is_agreed THEN
        v_next := refund_after(v_refund.status, CASE v_refund.closing WHEN 'paid' THEN 'confirmed' ELSE 'declined' END);
        UPDATE refunds SET status = v_next, ended_at = clock_timestamp(), closed_by = p_operator
        WHERE id = p_refund_id RETURNING * INTO v_refund;
        IF v_next = 'paid' THEN
            PERFORM settle_refund(v_refund);
        END IF;
    ELSE
        UPDATE refunds SET closing = NULL, closing_asked_by = NULL WHERE id = p_refund_id;
        v_next := 'withdrawn';
    END IF;
    PERFORM note_action(
        p_operator, CASE WHEN p_is_agreed THEN 'closing_approved' ELSE 'closing_withdrawn' END,
        v_refund.provider || ':' || v_refund.receipt, p_note
    );
    RETURN v_next;
END $$;
