CREATE OR REPLACE TRIGGER journal_seals_never_change BEFORE DELETE OR UPDATE OR TRUNCATE ON journal_seals
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is only ever added to');
