-- The cell of an account is kept with its keys, so that a gateway knows it with the key's owner. What was made before there were
-- cells is in the first.
ALTER TABLE accounts ADD COLUMN cell SMALLINT NOT NULL DEFAULT 0 CHECK (cell BETWEEN 0 AND 255);

-- The same with the cell, which the release before does not name.
DROP FUNCTION replace_live_key(TEXT, TEXT, TEXT, BYTEA, TEXT, TEXT, UUID, TIMESTAMPTZ, DOUBLE PRECISION);
CREATE FUNCTION replace_live_key(
    p_account_id TEXT,
    p_country TEXT,
    p_key_id TEXT,
    p_digest BYTEA,
    p_prefix TEXT,
    p_last_four TEXT,
    p_pin_proof UUID,
    p_proven_at TIMESTAMPTZ,
    p_proof_life_seconds DOUBLE PRECISION,
    p_cell SMALLINT DEFAULT 0
)
RETURNS TABLE (outcome TEXT, kept_at TIMESTAMPTZ)
LANGUAGE plpgsql AS $$
BEGIN
    IF abs(extract(epoch FROM clock_timestamp() - p_proven_at)) > p_proof_life_seconds THEN
        RETURN QUERY SELECT 'stale', NULL::timestamptz;
        RETURN;
    END IF;
    INSERT INTO accounts (account_id, country, cell) VALUES (p_account_id, p_country, p_cell)
    ON CONFLICT (account_id) DO NOTHING;
    PERFORM FROM accounts WHERE account_id = p_account_id AND country = p_country FOR UPDATE;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 'other_country', NULL::timestamptz;
        RETURN;
    END IF;
    -- A proof names its account, so two uses of one wait for the same row.
    IF EXISTS (SELECT FROM keys WHERE pin_proof = p_pin_proof) THEN
        RETURN QUERY SELECT 'used', NULL::timestamptz;
        RETURN;
    END IF;
    PERFORM revoke_live_key(p_account_id);
    RETURN QUERY
        INSERT INTO keys (key_id, account_id, digest, prefix, last_four, pin_proof)
        VALUES (p_key_id, p_account_id, p_digest, p_prefix, p_last_four, p_pin_proof)
        RETURNING 'kept', created_at;
END;
$$;
