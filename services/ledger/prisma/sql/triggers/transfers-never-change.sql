CREATE OR REPLACE TRIGGER transfers_never_change BEFORE DELETE OR UPDATE OR TRUNCATE ON transfers
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is only ever added to');
