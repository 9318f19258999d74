-- A key is made of a proof that its owner entered the PIN, and each proof makes one key: its nonce is the key's for ever.

-- A key of the time before proofs gets a nonce that no proof has.
ALTER TABLE keys ADD COLUMN pin_proof UUID NOT NULL DEFAULT gen_random_uuid();
ALTER TABLE keys ALTER COLUMN pin_proof DROP DEFAULT;
CREATE UNIQUE INDEX keys_pin_proof_key ON keys (pin_proof);

-- Without a proof no key is made any more.
DROP FUNCTION replace_live_key(TEXT, TEXT, TEXT, BYTEA, TEXT, TEXT);

-- Keeps a key and revokes the live one: never two live keys, and never none in between. Else `stale`, for a PIN that was
-- entered too long ago by this clock; `other_country`, for an account that is known in another; `used`, for a proof that has
-- made a key.
CREATE FUNCTION replace_live_key(
    p_account_id TEXT,
    p_country TEXT,
    p_key_id TEXT,
    p_digest BYTEA,
    p_prefix TEXT,
    p_last_four TEXT,
    p_pin_proof UUID,
    p_proven_at TIMESTAMPTZ,
    p_proof_life_seconds DOUBLE PRECISION
)
RETURNS TABLE (outcome TEXT, kept_at TIMESTAMPTZ)
LANGUAGE plpgsql AS $$
BEGIN
    IF abs(extract(epoch FROM clock_timestamp() - p_proven_at)) > p_proof_life_seconds THEN
        RETURN QUERY SELECT 'stale', NULL::timestamptz;
        RETURN;
    END IF;
    INSERT INTO accounts (account_id, country) VALUES (p_account_id, p_country)
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
