-- Agrees to a placement that another operator asked for, or withdraws it. What cannot be placed any more stays asked.
CREATE OR REPLACE FUNCTION decide_placement(
    p_placement_id TEXT, p_is_agreed BOOLEAN, p_operator TEXT, p_note TEXT, p_new_intent_id TEXT
)
RETURNS TABLE (outcome TEXT, intent_id TEXT) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_placement placements;
    v_outcome TEXT := 'withdrawn';
    v_intent_id TEXT;
BEGIN
    SELECT * INTO v_placement FROM placements WHERE id = p_placement_id;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'placement_not_found', NULL;
        RETURN;
    END IF;
    -- Locks in the one order: the checkout, then the receipt, then what was asked about it.
    PERFORM FROM checkouts WHERE id = v_placement.checkout_id FOR NO KEY UPDATE;
    PERFORM pg_advisory_xact_lock(hashtextextended('receipt:' || v_placement.subject, 0));
    SELECT * INTO v_placement FROM placements WHERE id = p_placement_id FOR NO KEY UPDATE;
    IF v_placement.status <> 'asked' THEN
        RETURN QUERY SELECT 'placement_decided', NULL;
        RETURN;
    ELSIF p_is_agreed AND NOT are_two_operators(v_placement.asked_by, p_operator) THEN
        RETURN QUERY SELECT 'needs_another', NULL;
        RETURN;
    ELSIF p_is_agreed THEN
        SELECT done.outcome, done.intent_id INTO v_outcome, v_intent_id FROM place_suspense(
            v_placement.subject, v_placement.checkout_id, v_placement.account_id, p_operator, p_note, p_new_intent_id
        ) done;
    ELSE
        PERFORM note_action(p_operator, 'placement_withdrawn', v_placement.subject, p_note);
    END IF;
    UPDATE placements SET status = v_outcome, decided_by = p_operator, decided_at = clock_timestamp()
    WHERE id = p_placement_id AND v_outcome IN ('placed', 'withdrawn');
    RETURN QUERY SELECT v_outcome, v_intent_id;
END $$;
