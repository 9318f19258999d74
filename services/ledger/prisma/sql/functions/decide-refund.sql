-- Agrees to a refund, or withdraws it. Whoever asked may only withdraw.
-- A refund that a name of the past asked for is withdrawn and asked again.
CREATE OR REPLACE FUNCTION decide_refund(p_refund_id TEXT, p_is_agreed BOOLEAN, p_operator TEXT, p_note TEXT)
RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
    v_refund refunds;
    v_next TEXT;
BEGIN
    SELECT * INTO v_refund FROM refunds WHERE id = p_refund_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN 'refund_not_found';
    END IF;
    v_next := refund_after(v_refund.status, CASE WHEN p_is_agreed THEN 'agreed' ELSE 'withdrawn' END);
    IF v_next = 'conflict' OR v_next = v_refund.status THEN
        RETURN 'refund_decided';
    ELSIF p_is_agreed AND NOT are_two_operators(v_refund.asked_by, p_operator) THEN
        RETURN 'needs_another';
    END IF;
    IF p_is_agreed AND v_refund.sent_by = 'provider' THEN
        v_next := refund_after(v_refund.status, 'confirmed');
    END IF;
    UPDATE refunds SET
        status = v_next, decided_by = p_operator, decided_at = v_now,
        ended_at = CASE WHEN v_next IN ('paid', 'withdrawn') THEN v_now END,
        next_action_at = CASE WHEN v_next = 'approved' THEN v_now END
    WHERE id = p_refund_id RETURNING * INTO v_refund;
    IF v_next = 'paid' THEN
        PERFORM settle_refund(v_refund);
    END IF;
    PERFORM note_action(
        p_operator, CASE WHEN p_is_agreed THEN 'refund_approved' ELSE 'refund_withdrawn' END,
        v_refund.provider || ':' || v_refund.receipt, p_note
    );
    RETURN v_next;
END $$;
