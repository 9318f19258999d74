-- What the operators' console keeps between two requests: sessions, and what begins one. Of its tokens the digests alone.
CREATE TABLE console_records (
    kind TEXT NOT NULL,
    digest BYTEA NOT NULL,
    -- Only the console reads it.
    body BYTEA NOT NULL,
    -- Without a reading for so long it ends.
    idle_seconds INTEGER NOT NULL,
    expires_at TIMESTAMPTZ(6) NOT NULL,
    -- However often it is read.
    ends_at TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT console_records_kind CHECK (kind IN ('session', 'challenge', 'login')),
    CONSTRAINT console_records_digest_length CHECK (octet_length(digest) = 32),
    CONSTRAINT console_records_body_length CHECK (octet_length(body) <= 2048),
    CONSTRAINT console_records_ends CHECK (idle_seconds > 0 AND expires_at <= ends_at),
    CONSTRAINT console_records_pkey PRIMARY KEY (kind, digest)
);
CREATE INDEX console_records_kind_expires_at_idx ON console_records (kind, expires_at);
