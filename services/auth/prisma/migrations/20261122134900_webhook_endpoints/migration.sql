-- Where events of an account are sent, and what signs them. A secret is encrypted (AES-256-GCM): nonce, tag, ciphertext.
CREATE TABLE webhook_endpoints (
    endpoint_id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    url TEXT NOT NULL,
    created_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    sealed_secret BYTEA NOT NULL,
    -- The secret before it was rotated signs as well until then.
    previous_secret BYTEA,
    previous_until TIMESTAMPTZ(6),

    CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (endpoint_id),
    CONSTRAINT webhook_endpoints_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT webhook_endpoints_id_shape CHECK (endpoint_id ~ '^we_[0-9a-f]{24}$'),
    CONSTRAINT webhook_endpoints_url_shape CHECK (url ~ '^https?://' AND length(url) <= 500),
    CONSTRAINT webhook_endpoints_previous_whole CHECK (num_nulls(previous_secret, previous_until) IN (0, 2))
);
CREATE INDEX webhook_endpoints_account_id_created_at_idx ON webhook_endpoints (account_id, created_at);
