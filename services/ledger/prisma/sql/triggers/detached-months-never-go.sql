CREATE OR REPLACE TRIGGER detached_months_never_go BEFORE DELETE OR TRUNCATE ON detached_months
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is never removed');
