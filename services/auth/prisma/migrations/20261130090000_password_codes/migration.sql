-- The codes by which the owner of an account sets a new password: one an operator, and it takes those of two operators.
CREATE TABLE password_codes (
    account_id TEXT NOT NULL,
    -- Whose key signed the act, and the name that the audit log shows.
    operator_id TEXT NOT NULL,
    operator TEXT NOT NULL,
    -- An HMAC of the code; the code itself is stored nowhere.
    code_digest BYTEA NOT NULL,
    -- Tries to use the codes of the account since this one was given, right ones included.
    tries SMALLINT NOT NULL DEFAULT 0,
    expires_at TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT password_codes_pkey PRIMARY KEY (account_id, operator_id),
    CONSTRAINT password_codes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT password_codes_code_digest_length CHECK (octet_length(code_digest) = 32),
    CONSTRAINT password_codes_tries_counted CHECK (tries >= 0)
);
