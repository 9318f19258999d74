CREATE OR REPLACE FUNCTION decide_freezing(p_freezing_id TEXT, p_is_agreed BOOLEAN, p_operator TEXT, p_note TEXT)
RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_freezing freezings;
    v_outcome TEXT;
BEGIN
    SELECT * INTO v_freezing FROM freezings WHERE id = p_freezing_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN 'freezing_not_found';
    ELSIF v_freezing.status <> 'asked' THEN
        RETURN 'freezing_decided';
    ELSIF p_is_agreed AND NOT are_two_operators(v_freezing.asked_by, p_operator) THEN
        RETURN 'needs_another';
    END IF;
    v_outcome := CASE WHEN NOT p_is_agreed THEN 'withdrawn' WHEN v_freezing.is_frozen THEN 'frozen' ELSE 'thawed' END;
    IF p_is_agreed THEN
        UPDATE wallets SET frozen_at = CASE WHEN v_freezing.is_frozen THEN clock_timestamp() END
        WHERE account_id = v_freezing.account_id;
    END IF;
    UPDATE freezings SET
        status = CASE WHEN p_is_agreed THEN 'done' ELSE 'withdrawn' END,
        decided_by = p_operator, decided_at = clock_timestamp()
    WHERE id = p_freezing_id;
    PERFORM note_action(
        p_operator, CASE WHEN p_is_agreed THEN v_outcome ELSE 'freezing_withdrawn' END, v_freezing.account_id, p_note
    );
    RETURN v_outcome;
END $$;
