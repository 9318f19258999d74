-- How it stands with the addresses that a provider was told for the Pay Bill menu of a short code. Only a digest is kept,
-- as the addresses hold a secret.
CREATE TABLE pay_bill_addresses (
    short_code TEXT NOT NULL,
    digest BYTEA NOT NULL,
    answer TEXT,
    answered_at TIMESTAMPTZ(6),
    failures INTEGER NOT NULL DEFAULT 0,
    next_attempt_at TIMESTAMPTZ(6),
    proved_at TIMESTAMPTZ(6),
    CONSTRAINT pay_bill_addresses_pkey PRIMARY KEY (short_code),
    CONSTRAINT pay_bill_addresses_short_code_shape CHECK (short_code ~ '^\d{5,7}$'),
    CONSTRAINT pay_bill_addresses_digest_length CHECK (octet_length(digest) = 32),
    CONSTRAINT pay_bill_addresses_answer_known CHECK (answer IN ('registered', 'registered_before')),
    CONSTRAINT pay_bill_addresses_answered_or_due CHECK (
        (answer IS NULL) = (answered_at IS NULL) AND (answer IS NULL) = (next_attempt_at IS NOT NULL)
    ),
    CONSTRAINT pay_bill_addresses_proved_when_answered CHECK (proved_at IS NULL OR answer IS NOT NULL)
);
