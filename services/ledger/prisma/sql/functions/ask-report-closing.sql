CREATE OR REPLACE FUNCTION ask_report_closing(p_closing_id TEXT, p_subject TEXT, p_operator TEXT, p_note TEXT)
RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
    IF is_report_closed(p_subject) THEN
        RETURN 'report_closed';
    ELSIF is_report_posted(p_subject) THEN
        RETURN 'report_posted';
    ELSIF NOT EXISTS (
        SELECT FROM unposted_reports() u WHERE report_subject(u.provider, u.receipt, u.intent_id) = p_subject
    ) AND NOT EXISTS (
        SELECT FROM unposted_pay_bill_reports(interval '7 days') u WHERE 'mpesa:' || u.receipt = p_subject
    ) THEN
        RETURN 'report_not_found';
    END IF;
    INSERT INTO report_closings (id, subject, status, asked_by, asked_at)
    VALUES (p_closing_id, p_subject, 'asked', p_operator, clock_timestamp())
    ON CONFLICT (subject) WHERE status IN ('asked', 'closed') DO NOTHING;
    IF NOT FOUND THEN
        RETURN 'closing_underway';
    END IF;
    PERFORM note_action(p_operator, 'report_closing_asked', p_subject, p_note);
    RETURN 'asked';
END $$;
