CREATE OR REPLACE TRIGGER refunds_never_go BEFORE DELETE OR TRUNCATE ON refunds
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is never removed');
