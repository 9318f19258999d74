-- Keeps a row of the statement, before it is applied. Money that was frozen for want of it goes back to where it was.
CREATE OR REPLACE FUNCTION note_statement_row(
    p_message_id TEXT, p_receipt TEXT, p_minor BIGINT, p_paid_at TIMESTAMPTZ
)
RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
    v_provider TEXT;
    v_subject TEXT;
BEGIN
    SELECT decide('provider', m.rail) INTO v_provider FROM provider_messages m
    WHERE m.id = p_message_id AND m.kind = 'statement_row';
    IF NOT FOUND THEN
        RETURN;
    END IF;
    INSERT INTO statement_rows (provider, receipt, minor, paid_at, seen_at)
    VALUES (v_provider, p_receipt, p_minor, coalesce(p_paid_at, v_now), v_now) ON CONFLICT DO NOTHING;

    v_subject := v_provider || ':' || p_receipt;
    PERFORM pg_advisory_xact_lock(hashtextextended('receipt:' || v_subject, 0));
    INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
    SELECT 'placed:' || v_subject, f.leg, f.credit, f.debit, f.currency, f.minor, v_now, v_now FROM transfers f
    WHERE f.event_key = 'frozen:' || v_subject
        AND (SELECT holder FROM money_of(v_subject)) = 'suspense:unconfirmed'
    ON CONFLICT DO NOTHING;
END $$;
