-- A handle that is the address of a link: it suggests a title and an amount, or neither. A closed link keeps its row and its
-- handle for ever, so that money on its way to it never reaches somebody else.
CREATE TABLE links (
    folded TEXT NOT NULL,
    account_id TEXT NOT NULL,
    request_id TEXT NOT NULL,
    title TEXT,
    -- In the currency of the account's home country.
    amount_minor BIGINT,
    created_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    closed_at TIMESTAMPTZ(6),

    CONSTRAINT links_pkey PRIMARY KEY (folded),
    CONSTRAINT links_folded_fkey FOREIGN KEY (folded) REFERENCES handles (folded) ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT links_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT links_request_id_length CHECK (length(request_id) BETWEEN 1 AND 64),
    CONSTRAINT links_title_length CHECK (length(title) BETWEEN 1 AND 64),
    CONSTRAINT links_amount_positive CHECK (amount_minor > 0),
    CONSTRAINT links_title_and_amount_or_neither CHECK ((title IS NULL) = (amount_minor IS NULL)),
    CONSTRAINT links_closed_after_created CHECK (closed_at >= created_at)
);

CREATE UNIQUE INDEX links_account_id_request_id_key ON links (account_id, request_id);

CREATE INDEX links_account_id_created_at_idx ON links (account_id, created_at DESC);
