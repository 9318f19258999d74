-- Looks up a cell: decide('intent', 'pending', 'confirmed') is 'completed'. A cell that is not there stops the
-- transaction: we do not guess about money.
CREATE OR REPLACE FUNCTION decide(p_rule TEXT, VARIADIC p_given TEXT[]) RETURNS TEXT LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_cell TEXT := p_rule || ': ' || array_to_string(p_given, ' ', '?');
    v_outcome TEXT := rules() ->> v_cell;
BEGIN
    IF v_outcome IS NULL THEN
        RAISE EXCEPTION 'no rule says what follows from "%"', v_cell USING ERRCODE = 'data_exception';
    END IF;
    RETURN v_outcome;
END $$;
