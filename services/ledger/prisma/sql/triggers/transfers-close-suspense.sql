CREATE OR REPLACE TRIGGER transfers_close_suspense AFTER INSERT ON transfers
    FOR EACH ROW
    EXECUTE FUNCTION close_suspense();
