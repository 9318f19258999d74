CREATE OR REPLACE TRIGGER idempotency_keys_never_change BEFORE DELETE OR UPDATE OR TRUNCATE ON idempotency_keys
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is only ever added to');
