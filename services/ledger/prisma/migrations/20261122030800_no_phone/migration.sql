-- A payment whose payer gave no phone has none: NULL, where a word stood for it before.
ALTER TABLE intents ALTER COLUMN phone DROP NOT NULL;
ALTER TABLE intents DISABLE TRIGGER intents_stay_as_asked;
UPDATE intents SET phone = NULL WHERE phone = 'unknown';
ALTER TABLE intents ENABLE TRIGGER intents_stay_as_asked;

-- Money that is placed keeps the phone of the intent that brought it, and has none where no intent did. The body of the
-- function is changed in this one place, as it stands.
DO $$
DECLARE
    v_body TEXT := pg_get_functiondef('place_suspense'::regproc);
BEGIN
    IF position('coalesce(v_held.phone, ''unknown'')' IN v_body) = 0 THEN
        RAISE EXCEPTION 'place_suspense no longer fills in a phone; remove this block';
    END IF;
    EXECUTE replace(v_body, 'coalesce(v_held.phone, ''unknown'')', 'v_held.phone');
END $$;

-- The word is never stored again.
ALTER TABLE intents ADD CONSTRAINT intents_phone_is_no_word CHECK (phone <> 'unknown') NOT VALID;
ALTER TABLE intents VALIDATE CONSTRAINT intents_phone_is_no_word;
