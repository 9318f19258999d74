-- Creating and revoking take turns on the account's row. Each is one call, so that a turn is as long as its commit: with a
-- round trip between its statements, the last of many who ask at once would wait longer than any of them is given.

-- Whoever holds the account's row decides which of its keys lives. True when there was one to revoke.
CREATE FUNCTION revoke_live_key(p_account_id TEXT)
RETURNS BOOLEAN
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM accounts WHERE account_id = p_account_id FOR UPDATE;
    -- A statement of its own, for it must see the key of whoever held the row before.
    UPDATE keys SET revoked_at = greatest(created_at, clock_timestamp())
    WHERE account_id = p_account_id AND revoked_at IS NULL;
    RETURN FOUND;
END;
$$;

-- Keeps a key and revokes the live one: never two live keys, and never none in between. No row for an account that is known
-- in another country.
CREATE FUNCTION replace_live_key(
    p_account_id TEXT,
    p_country TEXT,
    p_key_id TEXT,
    p_digest BYTEA,
    p_prefix TEXT,
    p_last_four TEXT
)
RETURNS SETOF keys
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO accounts (account_id, country) VALUES (p_account_id, p_country)
    ON CONFLICT (account_id) DO NOTHING;
    PERFORM FROM accounts WHERE account_id = p_account_id AND country = p_country FOR UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    PERFORM revoke_live_key(p_account_id);
    RETURN QUERY
        INSERT INTO keys (key_id, account_id, digest, prefix, last_four)
        VALUES (p_key_id, p_account_id, p_digest, p_prefix, p_last_four)
        RETURNING *;
END;
$$;
