CREATE OR REPLACE TRIGGER wire_attempts_stay_as_begun BEFORE UPDATE OF intent_id, rail, platform ON wire_attempts
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is how the prompt was sent');
