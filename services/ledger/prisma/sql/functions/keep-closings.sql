-- Refuses to change how a refund ended once two operators have agreed on it.
CREATE OR REPLACE FUNCTION keep_closings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.closed_by IS NOT NULL
        AND (OLD.closing, OLD.closing_asked_by, OLD.closed_by) IS DISTINCT FROM (NEW.closing, NEW.closing_asked_by, NEW.closed_by)
    THEN
        RAISE EXCEPTION 'the refund % was closed', OLD.id
            USING ERRCODE = 'restrict_violation', CONSTRAINT = 'refunds_stay_closed';
    END IF;
    RETURN NEW;
END $$;
