CREATE OR REPLACE TRIGGER intents_forget_their_payer AFTER UPDATE OF status ON intents
    FOR EACH ROW WHEN (new.rail = 'card'::text AND old.status = 'reserved'::text)
    EXECUTE FUNCTION forget_payer();
