CREATE OR REPLACE TRIGGER intent_steps_never_change BEFORE UPDATE OR TRUNCATE ON intent_steps
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is only ever added to');
