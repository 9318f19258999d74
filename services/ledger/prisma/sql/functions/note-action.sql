-- Records an action of an enrolled operator, or of the ledger itself when it places money with the handle it is for.
-- The row of the operator is locked, so that a retirement waits for an action of that operator at the same moment.
CREATE OR REPLACE FUNCTION note_action(p_operator TEXT, p_did TEXT, p_subject TEXT, p_note TEXT)
RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM operators WHERE id = p_operator AND enrolled_at IS NOT NULL AND retired_at IS NULL FOR KEY SHARE;
    IF NOT (FOUND OR (p_operator = 'handles' AND p_did = 'placed')) THEN
        RAISE EXCEPTION 'no operator % is enrolled', p_operator
            USING ERRCODE = 'restrict_violation', CONSTRAINT = 'operator_actions_of_operators';
    END IF;
    INSERT INTO operator_actions (at, operator, did, subject, note)
    VALUES (clock_timestamp(), p_operator, p_did, p_subject, p_note);
END $$;
