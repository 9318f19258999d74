-- Gives money that was posted before anybody could say whose it is to whom its handle pays, once. What no wallet may
-- take, and what is nobody's, stays in suspense for a person.
CREATE OR REPLACE FUNCTION place_wanted_payee(
    p_message_id TEXT,
    p_payee_account_id TEXT,
    p_payee_handle TEXT,
    p_is_within_limits BOOLEAN,
    p_new_intent_id TEXT
)
RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
    v_receipt TEXT;
BEGIN
    DELETE FROM wanted_payees WHERE message_id = p_message_id RETURNING receipt INTO v_receipt;
    IF FOUND AND p_payee_account_id IS NOT NULL AND p_is_within_limits THEN
        PERFORM place_suspense(
            'mpesa:' || v_receipt, NULL, p_payee_account_id,
            'handles', 'the handle ' || p_payee_handle, p_new_intent_id, p_payee_handle
        );
    END IF;
END $$;
