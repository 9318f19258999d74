-- Once it was agreed how a refund ended, that is what was agreed.
CREATE OR REPLACE FUNCTION keep_closings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.closed_by IS NOT NULL THEN
        RAISE EXCEPTION 'the refund % was closed', OLD.id
            USING ERRCODE = 'restrict_violation', CONSTRAINT = 'refunds_stay_closed';
    END IF;
    RETURN NEW;
END $$;
