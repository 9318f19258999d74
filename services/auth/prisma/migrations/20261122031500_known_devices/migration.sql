-- Browsers from which the password of an account was entered right. The token is in a cookie of the browser only; here is
-- its SHA-256, which is enough for 256 random bits. Several accounts can know one browser.
CREATE TABLE known_devices (
    token_digest BYTEA NOT NULL,
    account_id TEXT NOT NULL,
    created_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    -- When the account was last signed in to from it.
    used_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT known_devices_pkey PRIMARY KEY (token_digest, account_id),
    CONSTRAINT known_devices_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT known_devices_token_digest_length CHECK (octet_length(token_digest) = 32)
);

CREATE INDEX known_devices_account_id_used_at_idx ON known_devices (account_id, used_at DESC);

CREATE INDEX known_devices_used_at_idx ON known_devices (used_at);
