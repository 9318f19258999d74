CREATE OR REPLACE TRIGGER intents_tell_of_payment AFTER INSERT ON intents
    FOR EACH ROW WHEN (
        new.disposition = 'merchant'::text AND current_setting('malipo.events'::text, true) IS DISTINCT FROM 'written'::text
    )
    EXECUTE FUNCTION note_payment_event();
