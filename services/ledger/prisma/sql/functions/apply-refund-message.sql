-- Weighs what came about a refund and does what it is worth, once. `p_stands_after_seconds`: a provider that is asked by
-- the receipt, and still has it as paid so long after the refund was sent, has not sent it.
-- A late "yes" is believed where no other refund of the receipt was sent, and else it contradicts.
CREATE OR REPLACE FUNCTION apply_refund_message(
    p_message_id TEXT,
    p_fact TEXT,
    p_receipt TEXT,
    p_amount_minor BIGINT,
    p_provider_request_id TEXT,
    p_provider_code TEXT,
    p_stands_after_seconds DOUBLE PRECISION
)
RETURNS TABLE (result TEXT, kind TEXT, strength TEXT) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
    v_refund refunds;
    v_message RECORD;
    v_event TEXT;
    v_next TEXT;
    v_result TEXT := 'kept';
    v_strength TEXT := 'E3';
BEGIN
    SELECT * INTO v_refund FROM refunds
    WHERE id = (SELECT m.refund_id FROM provider_messages m WHERE m.id = p_message_id) FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT m.kind, m.source_known, m.result, m.strength INTO v_message
    FROM provider_messages m WHERE m.id = p_message_id FOR NO KEY UPDATE;
    IF v_message.result IS NOT NULL THEN
        RETURN QUERY SELECT v_message.result, v_message.kind, v_message.strength;
        RETURN;
    END IF;

    -- A "no" has to name our request; whose answer was lost is asked about instead.
    IF NOT v_message.source_known OR p_amount_minor <> v_refund.minor
        OR (v_message.kind = 'callback' AND p_provider_request_id IS DISTINCT FROM v_refund.provider_request_id
            AND (v_refund.provider_request_id IS NOT NULL OR p_fact = 'declined')) THEN
        v_strength := 'E2';
    END IF;
    v_event := CASE
        WHEN p_fact = 'declined' THEN 'declined'
        WHEN p_fact NOT IN ('receipt', 'paid') THEN NULL
        -- The payment itself, still as it was.
        WHEN v_message.kind = 'query_answer' AND p_receipt = v_refund.receipt THEN
            CASE WHEN v_now > v_refund.submitted_at + make_interval(secs => p_stands_after_seconds)
                THEN 'declined' END
        ELSE 'confirmed'
    END;

    IF p_fact = 'unreadable' THEN
        v_result := 'parked';
    ELSIF v_strength = 'E2' THEN
        UPDATE refunds SET next_action_at = v_now
        WHERE id = v_refund.id AND status = 'submitted' AND next_action_at > v_now + interval '1 minute';
    ELSIF v_event IS NOT NULL THEN
        v_next := refund_after(v_refund.status, v_event);
        IF v_next = 'conflict'
            OR (v_next = 'paid' AND v_refund.status = 'failed' AND NOT withdraw_other_refunds(v_refund)) THEN
            v_result := 'contradiction';
        ELSIF v_next <> v_refund.status THEN
            UPDATE refunds SET
                status = v_next, ended_at = v_now, provider_code = coalesce(p_provider_code, provider_code),
                next_action_at = NULL
            WHERE id = v_refund.id;
            v_result := CASE v_next WHEN 'paid' THEN 'settled' ELSE 'failed' END;
            IF v_next = 'paid' THEN
                PERFORM settle_refund(v_refund);
            END IF;
        END IF;
    END IF;

    UPDATE provider_messages SET
        fact = p_fact, strength = v_strength, result = v_result, applied_at = v_now, next_action_at = NULL
    WHERE id = p_message_id;
    RETURN QUERY SELECT v_result, v_message.kind, v_strength;
END $$;
