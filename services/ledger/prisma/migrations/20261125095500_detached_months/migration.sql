-- The months whose steps and message bodies were written to a file and then removed here. A row is written when the file is
-- whole and was read again, and before anything is removed.
CREATE TABLE detached_months (
    month DATE NOT NULL,
    -- The file has what is older than this, of payments that were finished.
    until_at TIMESTAMPTZ(6) NOT NULL,
    steps BIGINT NOT NULL,
    bodies BIGINT NOT NULL,
    sha256 BYTEA NOT NULL,
    -- Of the file before, which the file names too. Absent of the first.
    previous_sha256 BYTEA,
    -- The role of the database that did it, and why.
    written_by TEXT NOT NULL,
    note TEXT NOT NULL,
    written_at TIMESTAMPTZ(6) NOT NULL,
    -- When all that the file has was removed.
    removed_at TIMESTAMPTZ(6),

    CONSTRAINT detached_months_begin_on_the_first CHECK (extract(day FROM month) = 1),
    CONSTRAINT detached_months_counts_are_not_negative CHECK (steps >= 0 AND bodies >= 0),
    CONSTRAINT detached_months_digest_lengths
        CHECK (octet_length(sha256) = 32 AND octet_length(previous_sha256) = 32),
    CONSTRAINT detached_months_note_length CHECK (char_length(note) BETWEEN 1 AND 500),
    CONSTRAINT detached_months_pkey PRIMARY KEY (month)
);
