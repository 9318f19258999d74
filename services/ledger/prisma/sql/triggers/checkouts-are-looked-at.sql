CREATE OR REPLACE TRIGGER checkouts_are_looked_at AFTER INSERT ON checkouts
    REFERENCING NEW TABLE AS made
    FOR EACH STATEMENT
    EXECUTE FUNCTION note_checkout_expiry();
