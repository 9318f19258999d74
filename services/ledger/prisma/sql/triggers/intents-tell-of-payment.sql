CREATE OR REPLACE TRIGGER intents_tell_of_payment AFTER INSERT ON intents
    FOR EACH ROW WHEN (new.checkout_id IS NOT NULL AND new.disposition = 'merchant'::text)
    EXECUTE FUNCTION note_payment_event();
