CREATE OR REPLACE TRIGGER intent_steps_go_when_detached BEFORE DELETE ON intent_steps
    FOR EACH ROW
    EXECUTE FUNCTION keep_undetached();
