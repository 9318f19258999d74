-- What one operator has asked for and another has to agree to: that an account has no PIN any more. One at a time an account.
CREATE TABLE pin_forgettings (
    account_id TEXT NOT NULL,
    -- Whose key signed the request, and the name that the audit log shows.
    operator_id TEXT NOT NULL,
    operator TEXT NOT NULL,
    asked_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT pin_forgettings_pkey PRIMARY KEY (account_id),
    CONSTRAINT pin_forgettings_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (account_id)
        ON DELETE RESTRICT ON UPDATE RESTRICT
);
