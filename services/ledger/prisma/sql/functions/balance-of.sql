-- The balance of an account other than a float, summed from its transfers: no row stores it, so none can contradict the
-- journal. Each part has the condition of an index.
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
