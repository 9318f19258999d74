CREATE OR REPLACE TRIGGER refunds_stay_as_asked
    BEFORE UPDATE OF id, provider, receipt, minor, sent_by, asked_by, asked_at, callback_secret
    ON refunds
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is what was agreed to');
