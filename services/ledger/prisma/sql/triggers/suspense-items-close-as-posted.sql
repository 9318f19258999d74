CREATE OR REPLACE TRIGGER suspense_items_close_as_posted BEFORE INSERT OR UPDATE OF is_closed ON suspense_items
    FOR EACH ROW
    EXECUTE FUNCTION keep_suspense();
