-- Whoever has ever had a key. Creating and revoking lock this row, so that they take turns.
CREATE TABLE accounts (
    account_id TEXT NOT NULL,
    -- The home country: a key works on the host of this country only.
    country TEXT NOT NULL,

    CONSTRAINT accounts_pkey PRIMARY KEY (account_id),
    CONSTRAINT accounts_account_id_length CHECK (length(account_id) BETWEEN 1 AND 64),
    CONSTRAINT accounts_country_known CHECK (country IN ('ke', 'ug'))
);

-- A key, live until revoked_at is set. The digest is HMAC-SHA-256(pepper, SHA-256(key)), and the pepper is not in here.
CREATE TABLE keys (
    key_id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    digest BYTEA NOT NULL,
    -- What the key table of the account hub shows. The last four belong to the tag at the end, so they give nothing away.
    prefix TEXT NOT NULL,
    last_four TEXT NOT NULL,
    -- Not now(), which is when the transaction began: whoever waits for the lock would seem to have been first.
    created_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    last_used_at TIMESTAMPTZ(6),
    revoked_at TIMESTAMPTZ(6),

    CONSTRAINT keys_pkey PRIMARY KEY (key_id),
    CONSTRAINT keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT keys_key_id_shape CHECK (key_id ~ '^key_[0-9a-f]{24}$'),
    CONSTRAINT keys_digest_length CHECK (octet_length(digest) = 32),
    CONSTRAINT keys_prefix_shape CHECK (prefix ~ '^mkp_(test|live)_$'),
    CONSTRAINT keys_last_four_shape CHECK (last_four ~ '^[A-Z2-7]{4}$'),
    CONSTRAINT keys_used_after_created CHECK (last_used_at >= created_at),
    CONSTRAINT keys_revoked_after_created CHECK (revoked_at >= created_at)
);

CREATE UNIQUE INDEX keys_digest_key ON keys (digest);

-- Never two live keys, whatever the code does.
CREATE UNIQUE INDEX keys_one_live_per_account ON keys (account_id) WHERE revoked_at IS NULL;

CREATE INDEX keys_account_id_created_at_idx ON keys (account_id, created_at DESC);
