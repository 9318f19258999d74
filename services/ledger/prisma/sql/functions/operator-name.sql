-- The name of an operator, for people to read. `handles`, which is the ledger itself, and `legacy:NAME` are returned as
-- they are; any other text is a name of the time before keys, and is returned as `legacy:NAME`.
CREATE OR REPLACE FUNCTION operator_name(p_operator TEXT) RETURNS TEXT LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN p_operator ~ '^(op_[0-9a-f]{24}|handles|legacy:.*)$'
        THEN coalesce((SELECT name FROM operators WHERE id = p_operator AND public_key IS NOT NULL), p_operator)
        ELSE 'legacy:' || p_operator END
$$;
