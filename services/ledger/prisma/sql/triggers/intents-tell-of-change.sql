CREATE OR REPLACE TRIGGER intents_tell_of_change AFTER UPDATE OF status, disposition ON intents
    FOR EACH ROW WHEN (current_setting('malipo.events'::text, true) IS DISTINCT FROM 'written'::text)
    EXECUTE FUNCTION note_payment_event();
