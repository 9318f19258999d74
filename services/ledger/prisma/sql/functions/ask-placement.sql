-- Asks to give held money to its owner. Nothing moves until another operator agrees.
CREATE OR REPLACE FUNCTION ask_placement(
    p_placement_id TEXT, p_subject TEXT, p_checkout_id TEXT, p_account_id TEXT, p_operator TEXT, p_note TEXT
)
RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_outcome TEXT;
BEGIN
    -- Placed for a moment and undone, with its locks: what would be refused when it is agreed to is refused when it is asked.
    BEGIN
        SELECT done.outcome INTO v_outcome FROM place_suspense(
            p_subject, p_checkout_id, p_account_id, p_operator, p_note, 'pi_' || substr(p_placement_id, 4)
        ) done;
        RAISE EXCEPTION 'undo' USING ERRCODE = 'MP001';
    EXCEPTION WHEN SQLSTATE 'MP001' THEN
        NULL;
    END;
    IF v_outcome <> 'placed' THEN
        RETURN v_outcome;
    END IF;
    INSERT INTO placements (id, subject, checkout_id, account_id, status, asked_by, asked_at)
    VALUES (p_placement_id, p_subject, p_checkout_id, p_account_id, 'asked', p_operator, clock_timestamp())
    ON CONFLICT (subject) WHERE status = 'asked' DO NOTHING;
    IF NOT FOUND THEN
        RETURN 'placement_underway';
    END IF;
    PERFORM note_action(p_operator, 'placement_asked', p_subject, p_note);
    RETURN 'asked';
END $$;
