CREATE OR REPLACE FUNCTION ask_retirement(p_id TEXT, p_operator TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_known operators;
BEGIN
    PERFORM lock_operators();
    SELECT * INTO v_known FROM operators WHERE id = p_id AND enrolled_at IS NOT NULL;
    IF NOT FOUND THEN
        RETURN 'operator_not_found';
    ELSIF v_known.retired_at IS NOT NULL THEN
        RETURN 'retired';
    ELSIF v_known.retirement_asked_by IS NOT NULL THEN
        RETURN 'asked';
    ELSIF NOT leaves_two_operators(p_id) THEN
        RETURN 'too_few_left';
    END IF;
    UPDATE operators SET retirement_asked_by = p_operator WHERE id = p_id;
    PERFORM note_action(p_operator, 'retirement_asked', p_id, v_known.name);
    RETURN 'asked';
END $$;
