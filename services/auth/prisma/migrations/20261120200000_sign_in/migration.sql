-- A person signed in at one browser. The token is in the browser only; here is its SHA-256, which is enough for 256 random bits.
CREATE TABLE sign_in_sessions (
    session_id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    token_digest BYTEA NOT NULL,
    created_at TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
    -- Written once a minute.
    last_seen_at TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
    expires_at TIMESTAMPTZ(6) NOT NULL,
    ended_at TIMESTAMPTZ(6),
    -- Who opened it.
    address TEXT NOT NULL,
    user_agent TEXT NOT NULL,

    CONSTRAINT sign_in_sessions_pkey PRIMARY KEY (session_id),
    CONSTRAINT sign_in_sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT sign_in_sessions_session_id_shape CHECK (session_id ~ '^ses_[0-9a-f]{24}$'),
    CONSTRAINT sign_in_sessions_token_digest_length CHECK (octet_length(token_digest) = 32),
    CONSTRAINT sign_in_sessions_expire CHECK (expires_at > created_at),
    CONSTRAINT sign_in_sessions_caller_lengths CHECK (length(address) <= 64 AND length(user_agent) <= 256)
);

CREATE UNIQUE INDEX sign_in_sessions_token_digest_key ON sign_in_sessions (token_digest);

CREATE INDEX sign_in_sessions_account_id_created_at_idx ON sign_in_sessions (account_id, created_at DESC);

CREATE INDEX sign_in_sessions_expires_at_idx ON sign_in_sessions (expires_at);

-- How often somebody tried to sign in, by username and by address, in a window that begins with the first try.
CREATE TABLE sign_in_tries (
    -- `username:…` or `address:…`.
    subject TEXT NOT NULL,
    tries INTEGER NOT NULL,
    resets_at TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT sign_in_tries_pkey PRIMARY KEY (subject),
    CONSTRAINT sign_in_tries_subject_length CHECK (length(subject) <= 80),
    CONSTRAINT sign_in_tries_counted CHECK (tries > 0)
);

CREATE INDEX sign_in_tries_resets_at_idx ON sign_in_tries (resets_at);
