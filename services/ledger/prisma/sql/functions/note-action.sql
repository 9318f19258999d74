-- Only of an operator who is enrolled, or of the ledger itself when it gives money to the handle it is for. The row of the
-- operator is held, so that a retirement waits for what its operator asks for at the same moment.
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
