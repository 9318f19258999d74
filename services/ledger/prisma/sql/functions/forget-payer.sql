-- Removes the payer's encrypted data from a card session once its intent leaves `reserved`, whatever it becomes.
CREATE OR REPLACE FUNCTION forget_payer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE card_sessions SET sealed_payer = NULL WHERE intent_id = NEW.id AND sealed_payer IS NOT NULL;
    RETURN NULL;
END $$;
