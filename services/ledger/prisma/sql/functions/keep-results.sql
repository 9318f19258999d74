-- Refuses to change the result of a provider message once it was applied.
CREATE OR REPLACE FUNCTION keep_results() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.result IS NOT NULL THEN
        RAISE EXCEPTION 'the provider message % was applied', OLD.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
