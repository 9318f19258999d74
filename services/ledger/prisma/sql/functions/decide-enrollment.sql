CREATE OR REPLACE FUNCTION decide_enrollment(p_id TEXT, p_is_agreed BOOLEAN, p_operator TEXT) RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_known operators;
BEGIN
    PERFORM lock_operators();
    SELECT * INTO v_known FROM operators WHERE id = p_id AND public_key IS NOT NULL;
    IF NOT FOUND THEN
        RETURN 'operator_not_found';
    ELSIF v_known.enrolled_at IS NOT NULL THEN
        RETURN CASE WHEN v_known.retired_at IS NULL THEN 'enrolled' ELSE 'retired' END;
    ELSIF p_is_agreed AND v_known.asked_by = p_operator THEN
        RETURN 'needs_another';
    ELSIF p_is_agreed THEN
        UPDATE operators SET enrolled_by = p_operator, enrolled_at = clock_timestamp() WHERE id = p_id;
        PERFORM note_action(p_operator, 'enrolled', p_id, v_known.name);
        RETURN 'enrolled';
    END IF;
    DELETE FROM operators WHERE id = p_id;
    PERFORM note_action(p_operator, 'enrollment_withdrawn', p_id, v_known.name);
    RETURN 'withdrawn';
END $$;
