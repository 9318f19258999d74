CREATE OR REPLACE TRIGGER intents_stay_as_asked
    BEFORE UPDATE OF id, checkout_id, account_id, handle, rail, phone, amount_minor, asked_minor, created_at,
        callback_secret, attempt_reference
    ON intents
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is what the payer was asked for');
