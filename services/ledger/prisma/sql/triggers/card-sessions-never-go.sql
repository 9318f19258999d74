CREATE OR REPLACE TRIGGER card_sessions_never_go BEFORE DELETE OR TRUNCATE ON card_sessions
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is never removed');
