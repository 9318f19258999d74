CREATE OR REPLACE TRIGGER card_sessions_stay_as_asked BEFORE UPDATE OF intent_id, fee_minor, expires_at ON card_sessions
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is what the payer was asked for');
