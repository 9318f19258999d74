-- Tries at the PIN since it was last entered right, and the lock that the fifth one brings.
ALTER TABLE credentials
    ADD COLUMN pin_tries SMALLINT NOT NULL DEFAULT 0,
    -- Locks since the PIN was last entered right: each is longer than the one before.
    ADD COLUMN pin_locks SMALLINT NOT NULL DEFAULT 0,
    -- `infinity` when only support can help.
    ADD COLUMN pin_locked_until TIMESTAMPTZ(6),
    ADD CONSTRAINT credentials_pin_tries_five_at_most CHECK (pin_tries BETWEEN 0 AND 5),
    ADD CONSTRAINT credentials_pin_locks_counted CHECK (pin_locks >= 0),
    ADD CONSTRAINT credentials_fifth_try_locks CHECK ((pin_tries = 5) = (pin_locked_until IS NOT NULL));
