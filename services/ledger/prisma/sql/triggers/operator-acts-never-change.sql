CREATE OR REPLACE TRIGGER operator_acts_never_change BEFORE DELETE OR UPDATE OR TRUNCATE ON operator_acts
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is only ever added to');
