CREATE OR REPLACE TRIGGER suspense_items_never_change
    BEFORE DELETE OR UPDATE OF event_key, leg, reason, intent_id, minor, opened_at, has_account_number OR TRUNCATE
    ON suspense_items
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is only ever added to');
