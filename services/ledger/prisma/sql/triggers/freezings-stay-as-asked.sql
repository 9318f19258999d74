CREATE OR REPLACE TRIGGER freezings_stay_as_asked
    BEFORE UPDATE OF id, account_id, is_frozen, asked_by, asked_at
    ON freezings
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is what was agreed to');
