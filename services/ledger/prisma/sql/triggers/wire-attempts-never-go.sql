CREATE OR REPLACE TRIGGER wire_attempts_never_go BEFORE DELETE OR TRUNCATE ON wire_attempts
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is never removed');
