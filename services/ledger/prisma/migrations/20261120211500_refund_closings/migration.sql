-- A refund that the provider never told the end of, and that nobody asks about any more, is closed by two people who
-- looked it up there: it was paid out, or it was not. One asks and gives the reason, another decides; both are kept in
-- operator_actions.

-- What a closing says became of the refund, who asked for it, and who agreed. A withdrawn one leaves nothing here.
ALTER TABLE refunds
    ADD COLUMN closing TEXT,
    ADD COLUMN closing_asked_by TEXT,
    ADD COLUMN closed_by TEXT,
    ADD CONSTRAINT refunds_closing_known CHECK (closing IN ('paid', 'failed')),
    ADD CONSTRAINT refunds_closing_is_asked CHECK ((closing IS NULL) = (closing_asked_by IS NULL)),
    -- A comparison with nobody is not true, and not false either.
    ADD CONSTRAINT refunds_closing_needs_two CHECK (
        closed_by IS NULL OR (closing_asked_by IS NOT NULL AND closed_by <> closing_asked_by)
    );

ALTER TABLE operator_actions
    DROP CONSTRAINT operator_actions_did_known,
    ADD CONSTRAINT operator_actions_did_known CHECK (did IN (
        'placed', 'refund_asked', 'refund_approved', 'refund_withdrawn',
        'closing_asked', 'closing_approved', 'closing_withdrawn'
    ));

-- Once it was agreed how a refund ended, that is what was agreed.
CREATE FUNCTION keep_closings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.closed_by IS NOT NULL THEN
        RAISE EXCEPTION 'the refund % was closed', OLD.id
            USING ERRCODE = 'restrict_violation', CONSTRAINT = 'refunds_stay_closed';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER refunds_stay_closed BEFORE UPDATE OF closing, closing_asked_by, closed_by ON refunds
    FOR EACH ROW EXECUTE FUNCTION keep_closings();

-- Asks to close a refund by hand: `p_closing` is `paid` or `failed`. Nothing moves until another person agrees.
CREATE FUNCTION ask_refund_closing(p_refund_id TEXT, p_closing TEXT, p_operator TEXT, p_note TEXT)
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

-- Agrees to a closing that another person asked for, or withdraws it. Answers what the refund has become.
CREATE FUNCTION decide_refund_closing(p_refund_id TEXT, p_is_agreed BOOLEAN, p_operator TEXT, p_note TEXT)
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
    ELSIF p_is_agreed AND v_refund.closing_asked_by = p_operator THEN
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

-- A "yes" after a refund was believed to have failed: the same receipt may have been asked to go back again meanwhile.
-- What of that was not sent yet is withdrawn. Answers whether nothing else of it was sent: if it was, the money may have
-- gone twice, and people have to look.
CREATE FUNCTION withdraw_other_refunds(p_refund refunds) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
BEGIN
    UPDATE refunds SET status = refund_after(status, 'withdrawn'), ended_at = v_now, next_action_at = NULL
    WHERE provider = p_refund.provider AND receipt = p_refund.receipt AND id <> p_refund.id
        AND status IN ('asked', 'approved');
    RETURN NOT EXISTS (
        SELECT FROM refunds WHERE provider = p_refund.provider AND receipt = p_refund.receipt AND id <> p_refund.id
            AND status NOT IN ('failed', 'withdrawn')
    );
END $$;

-- As before; a late "yes" is believed where no other refund of the receipt was sent, and else it contradicts.
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
