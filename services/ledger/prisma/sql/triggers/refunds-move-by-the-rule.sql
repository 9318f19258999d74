CREATE OR REPLACE TRIGGER refunds_move_by_the_rule BEFORE UPDATE OF status ON refunds
    FOR EACH ROW
    EXECUTE FUNCTION keep_refunds_sound();
