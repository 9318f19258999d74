CREATE OR REPLACE FUNCTION decide_retirement(p_id TEXT, p_is_agreed BOOLEAN, p_operator TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_known operators;
BEGIN
    PERFORM lock_operators();
    SELECT * INTO v_known FROM operators WHERE id = p_id AND enrolled_at IS NOT NULL;
    IF NOT FOUND THEN
        RETURN 'operator_not_found';
    ELSIF v_known.retired_at IS NOT NULL THEN
        RETURN 'retired';
    ELSIF v_known.retirement_asked_by IS NULL THEN
        RETURN 'not_asked';
    ELSIF p_is_agreed AND v_known.retirement_asked_by = p_operator THEN
        RETURN 'needs_another';
    ELSIF p_is_agreed AND NOT leaves_two_operators(p_id) THEN
        RETURN 'too_few_left';
    END IF;
    -- Kept first: whoever agrees to their own retirement is an operator until now.
    PERFORM note_action(
        p_operator, CASE WHEN p_is_agreed THEN 'retired' ELSE 'retirement_withdrawn' END, p_id, v_known.name
    );
    IF p_is_agreed THEN
        PERFORM withdraw_asked(p_id, p_operator);
    END IF;
    UPDATE operators SET
        retirement_asked_by = CASE WHEN p_is_agreed THEN retirement_asked_by END,
        retired_by = CASE WHEN p_is_agreed THEN p_operator END,
        retired_at = CASE WHEN p_is_agreed THEN clock_timestamp() END
    WHERE id = p_id;
    RETURN CASE WHEN p_is_agreed THEN 'retired' ELSE 'withdrawn' END;
END $$;
