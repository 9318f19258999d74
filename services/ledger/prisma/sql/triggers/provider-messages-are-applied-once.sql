CREATE OR REPLACE TRIGGER provider_messages_are_applied_once
    BEFORE UPDATE OF fact, strength, result, receipt, applied_at
    ON provider_messages
    FOR EACH ROW
    EXECUTE FUNCTION keep_results();
