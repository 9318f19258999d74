-- Remembers when to look whether a new checkout has expired, if its account has webhooks.
CREATE OR REPLACE FUNCTION note_checkout_expiry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO checkout_expiries (checkout_id, look_at)
    SELECT made.id, made.expires_at FROM made WHERE has_webhooks(made.account_id);
    RETURN NULL;
END $$;
