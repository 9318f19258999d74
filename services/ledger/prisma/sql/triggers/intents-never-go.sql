CREATE OR REPLACE TRIGGER intents_never_go BEFORE DELETE OR TRUNCATE ON intents
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is never removed');
