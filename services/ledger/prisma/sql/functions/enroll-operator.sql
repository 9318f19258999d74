-- Enrols a key: at once where it is the first or second there ever was and signs for itself, and else for another operator to
-- agree to.
CREATE OR REPLACE FUNCTION enroll_operator(p_id TEXT, p_name TEXT, p_public_key BYTEA, p_operator TEXT)
RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
    v_known operators;
    v_founder SMALLINT;
BEGIN
    PERFORM lock_operators();
    SELECT * INTO v_known FROM operators WHERE id = p_id;
    IF FOUND THEN
        RETURN CASE WHEN v_known.retired_at IS NOT NULL THEN 'retired'
            WHEN v_known.name <> p_name THEN 'name_taken'
            WHEN v_known.enrolled_at IS NOT NULL THEN 'enrolled' ELSE 'asked' END;
    ELSIF EXISTS (SELECT FROM operators WHERE name = p_name AND public_key IS NOT NULL AND retired_at IS NULL) THEN
        RETURN 'name_taken';
    ELSIF p_operator <> p_id THEN
        INSERT INTO operators (id, name, public_key, asked_by, asked_at) VALUES (p_id, p_name, p_public_key, p_operator, v_now);
        PERFORM note_action(p_operator, 'enrollment_asked', p_id, p_name);
        RETURN 'asked';
    END IF;
    SELECT min(number) INTO v_founder FROM generate_series(1, 2) number
    WHERE NOT EXISTS (SELECT FROM operators WHERE founder = number);
    IF v_founder IS NULL THEN
        RETURN 'needs_enrolled';
    END IF;
    INSERT INTO operators (id, name, public_key, founder, asked_at, enrolled_at)
    VALUES (p_id, p_name, p_public_key, v_founder, v_now, v_now);
    PERFORM note_action(p_id, 'enrolled', p_id, p_name);
    RETURN 'enrolled';
END $$;
