CREATE OR REPLACE TRIGGER intents_begin_soundly BEFORE INSERT ON intents
    FOR EACH ROW
    EXECUTE FUNCTION keep_new_intents_sound();
