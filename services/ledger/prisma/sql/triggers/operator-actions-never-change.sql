CREATE OR REPLACE TRIGGER operator_actions_never_change BEFORE DELETE OR UPDATE OR TRUNCATE ON operator_actions
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is only ever added to');
