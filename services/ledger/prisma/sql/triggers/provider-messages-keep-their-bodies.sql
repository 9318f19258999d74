CREATE OR REPLACE TRIGGER provider_messages_keep_their_bodies BEFORE UPDATE OF body ON provider_messages
    FOR EACH ROW
    EXECUTE FUNCTION keep_undetached();
