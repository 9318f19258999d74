CREATE OR REPLACE TRIGGER statement_reads_never_change BEFORE DELETE OR UPDATE OR TRUNCATE ON statement_reads
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is only ever added to');
