CREATE OR REPLACE TRIGGER provider_messages_never_go BEFORE DELETE OR TRUNCATE ON provider_messages
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is never removed');
