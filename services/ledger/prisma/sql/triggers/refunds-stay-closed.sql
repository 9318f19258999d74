CREATE OR REPLACE TRIGGER refunds_stay_closed BEFORE UPDATE OF closing, closing_asked_by, closed_by ON refunds
    FOR EACH ROW
    EXECUTE FUNCTION keep_closings();
