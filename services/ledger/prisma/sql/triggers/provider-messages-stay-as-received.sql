CREATE OR REPLACE TRIGGER provider_messages_stay_as_received
    BEFORE UPDATE OF id, intent_id, rail, kind, digest, source_address, source_known, received_at
    ON provider_messages
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is kept as received');
