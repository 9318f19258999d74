CREATE OR REPLACE TRIGGER statement_rows_never_change BEFORE DELETE OR UPDATE OR TRUNCATE ON statement_rows
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is only ever added to');
