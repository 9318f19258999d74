CREATE OR REPLACE TRIGGER intents_stay_sound BEFORE INSERT OR UPDATE OF status, ended_at,
        deadline_at, cause, settled_minor, receipt, settled_at, disposition
    ON intents
    FOR EACH ROW
    EXECUTE FUNCTION keep_intents_sound();
