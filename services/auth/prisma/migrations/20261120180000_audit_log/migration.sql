-- What was done with an account, by whom as far as we know. Rows are added and never touched again.
CREATE TABLE audit_events (
    event_id BIGINT GENERATED ALWAYS AS IDENTITY,
    account_id TEXT NOT NULL,
    action TEXT NOT NULL,
    at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    -- What it was done to, such as the handle of a link. Empty when the action says all.
    subject TEXT NOT NULL,
    -- The caller's address and browser; empty when nobody knew them.
    address TEXT NOT NULL,
    user_agent TEXT NOT NULL,

    CONSTRAINT audit_events_pkey PRIMARY KEY (event_id),
    CONSTRAINT audit_events_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT audit_events_action_shape CHECK (action ~ '^[a-z]+(_[a-z]+)*$'),
    CONSTRAINT audit_events_lengths CHECK (length(subject) <= 64 AND length(address) <= 64 AND length(user_agent) <= 256)
);

CREATE INDEX audit_events_account_id_event_id_idx ON audit_events (account_id, event_id DESC);

CREATE FUNCTION refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: it is written once', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER audit_events_are_written_once BEFORE UPDATE OR DELETE OR TRUNCATE
    ON audit_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
