-- What an account holds, but for a float: a sum of what the indexes have, and no row that could say otherwise.
CREATE OR REPLACE FUNCTION balance_of(p_account TEXT) RETURNS NUMERIC LANGUAGE sql STABLE AS $$
    SELECT coalesce(sum(minor), 0) FROM (
        SELECT minor FROM transfers WHERE credit = p_account AND credit LIKE 'wallet:%'
        UNION ALL
        SELECT -minor FROM transfers WHERE debit = p_account AND debit LIKE 'wallet:%'
        UNION ALL
        SELECT minor FROM transfers WHERE credit = p_account AND credit !~ '^(float|wallet):'
        UNION ALL
        SELECT -minor FROM transfers WHERE debit = p_account AND debit !~ '^(float|wallet):'
    ) moved (minor)
$$;
