CREATE OR REPLACE TRIGGER placements_stay_as_asked
    BEFORE UPDATE OF id, subject, checkout_id, account_id, asked_by, asked_at
    ON placements
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is what was agreed to');
