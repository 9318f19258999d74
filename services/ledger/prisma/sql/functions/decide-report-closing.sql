CREATE OR REPLACE FUNCTION decide_report_closing(p_closing_id TEXT, p_is_agreed BOOLEAN, p_operator TEXT, p_note TEXT)
RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_closing report_closings;
    v_status TEXT := CASE WHEN p_is_agreed THEN 'closed' ELSE 'withdrawn' END;
BEGIN
    SELECT * INTO v_closing FROM report_closings WHERE id = p_closing_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN 'closing_not_found';
    ELSIF v_closing.status <> 'asked' THEN
        RETURN 'closing_decided';
    ELSIF p_is_agreed AND NOT are_two_operators(v_closing.asked_by, p_operator) THEN
        RETURN 'needs_another';
    ELSIF p_is_agreed AND is_report_posted(v_closing.subject) THEN
        -- The money has come meanwhile: it was no false report.
        RETURN 'report_posted';
    END IF;
    UPDATE report_closings SET status = v_status, decided_by = p_operator, decided_at = clock_timestamp()
    WHERE id = p_closing_id;
    PERFORM note_action(
        p_operator, CASE WHEN p_is_agreed THEN 'report_closed' ELSE 'report_closing_withdrawn' END,
        v_closing.subject, p_note
    );
    RETURN v_status;
END $$;
