-- Believes that it was paid and has the sweep fetch the receipt: at once, as that is another question than the one just
-- answered, and only once at once.
CREATE OR REPLACE FUNCTION await_receipt(p_intent_id TEXT) RETURNS VOID LANGUAGE sql AS $$
    UPDATE intents SET
        receipt_wanted = true, denied_code = NULL, denied_at = NULL,
        query_at = clock_timestamp(), next_action_at = clock_timestamp()
    WHERE id = p_intent_id AND submitted_at IS NOT NULL AND settled_at IS NULL AND NOT receipt_wanted
$$;
