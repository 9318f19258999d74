-- What an operator is called, for people to read. What no operator did, but a name of the past or the ledger itself, stands
-- as it was kept; a name of the past says so.
CREATE OR REPLACE FUNCTION operator_name(p_operator TEXT) RETURNS TEXT LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN p_operator ~ '^(op_[0-9a-f]{24}|handles|legacy:.*)$'
        THEN coalesce((SELECT name FROM operators WHERE id = p_operator AND public_key IS NOT NULL), p_operator)
        ELSE 'legacy:' || p_operator END
$$;
