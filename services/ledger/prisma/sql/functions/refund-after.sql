-- What an event makes of a refund; what the table does not say stops the transaction.
CREATE OR REPLACE FUNCTION refund_after(p_status TEXT, p_event TEXT) RETURNS TEXT LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_next TEXT := refund_rules() ->> ('refund: ' || p_status || ' ' || p_event);
BEGIN
    IF v_next IS NULL THEN
        RAISE EXCEPTION 'no rule says what follows from a refund "% %"', p_status, p_event USING ERRCODE = 'data_exception';
    END IF;
    RETURN v_next;
END $$;
