CREATE OR REPLACE FUNCTION keep_refunds_sound() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status <> NEW.status AND NOT EXISTS (
        SELECT FROM jsonb_each_text(refund_rules())
        WHERE key LIKE 'refund: ' || OLD.status || ' %' AND value = NEW.status
    ) THEN
        RAISE EXCEPTION 'a refund that is % does not become %', OLD.status, NEW.status
            USING ERRCODE = 'check_violation', CONSTRAINT = 'refunds_move_by_the_rule';
    END IF;
    RETURN NEW;
END $$;
