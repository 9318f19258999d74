CREATE OR REPLACE TRIGGER intents_tell_of_change AFTER UPDATE ON intents
    FOR EACH ROW WHEN (
        new.checkout_id IS NOT NULL AND (
            new.disposition = 'merchant'::text AND old.disposition IS DISTINCT FROM 'merchant'::text
            OR new.status = 'failed'::text AND old.status <> 'failed'::text
            OR new.disposition = 'merchant'::text AND new.status = 'reversed'::text AND old.status <> 'reversed'::text
        )
    )
    EXECUTE FUNCTION note_payment_event();
