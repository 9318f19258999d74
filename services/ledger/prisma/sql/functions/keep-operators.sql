-- Refuses a new operator without a key. Refuses to remove an enrolled operator or a name of the time before keys, to
-- change an enrollment, and to change anything of an operator who is retired.
CREATE OR REPLACE FUNCTION keep_operators() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.public_key IS NULL THEN
            RAISE EXCEPTION 'an operator has a key' USING ERRCODE = 'restrict_violation', CONSTRAINT = 'operators_have_keys';
        END IF;
        RETURN NEW;
    ELSIF OLD.enrolled_at IS NOT NULL OR OLD.public_key IS NULL THEN
        IF TG_OP = 'DELETE' OR (OLD.enrolled_by, OLD.enrolled_at) IS DISTINCT FROM (NEW.enrolled_by, NEW.enrolled_at)
            OR OLD.retired_at IS NOT NULL THEN
            RAISE EXCEPTION 'the operator % was enrolled', OLD.id
                USING ERRCODE = 'restrict_violation', CONSTRAINT = 'operators_stay_enrolled';
        END IF;
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
