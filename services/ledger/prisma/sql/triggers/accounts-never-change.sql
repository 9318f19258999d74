CREATE OR REPLACE TRIGGER accounts_never_change BEFORE DELETE OR UPDATE OR TRUNCATE ON accounts
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is only ever added to');
