-- Money that we hold and could not place, one row a transfer into suspense.
CREATE TABLE suspense_items (
    event_key TEXT NOT NULL,
    leg SMALLINT NOT NULL,
    reason TEXT NOT NULL,
    intent_id TEXT,
    minor BIGINT NOT NULL,
    opened_at TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT suspense_items_minor_is_positive CHECK (minor > 0),
    CONSTRAINT suspense_items_pkey PRIMARY KEY (event_key, leg),
    CONSTRAINT suspense_items_transfer_fkey FOREIGN KEY (event_key, leg) REFERENCES transfers (event_key, leg)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT suspense_items_intent_id_fkey FOREIGN KEY (intent_id) REFERENCES intents (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT suspense_items_name_their_intent CHECK (intent_id IS NOT NULL OR reason = 'unmatched'),
    -- Money that a confirmation told of and the provider's statement does not show.
    CONSTRAINT suspense_items_reason_known CHECK (reason IN ('duplicate', 'mismatch', 'unmatched', 'unconfirmed'))
);

-- Whose account number is whose. A number goes to another checkout when it is a year old, and no sooner.
CREATE TABLE pay_bill_numbers (
    number TEXT NOT NULL,
    checkout_id TEXT NOT NULL,
    given_at TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT pay_bill_numbers_shape CHECK (number ~ '^CS[0-9]{8}$'),
    CONSTRAINT pay_bill_numbers_pkey PRIMARY KEY (number),
    CONSTRAINT pay_bill_numbers_checkout_id_fkey FOREIGN KEY (checkout_id) REFERENCES checkouts (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE UNIQUE INDEX pay_bill_numbers_checkout_id_key ON pay_bill_numbers (checkout_id);
CREATE INDEX pay_bill_numbers_given_at_idx ON pay_bill_numbers USING brin (given_at);

-- The journal in sealed stretches: each seal has the digest of the transfers of its time and of the seal before, so that
-- one byte that changes, comes or goes in what was sealed breaks the chain. A chain of single transfers would make every
-- payment wait for the one before.
CREATE TABLE journal_seals (
    seal BIGINT NOT NULL,
    -- The stretch: after the one, up to and with the other.
    after_at TIMESTAMPTZ(6) NOT NULL,
    until_at TIMESTAMPTZ(6) NOT NULL,
    digest BYTEA NOT NULL,
    sealed_at TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT journal_seals_go_forward CHECK (until_at > after_at),
    CONSTRAINT journal_seals_digest_length CHECK (octet_length(digest) = 32),
    CONSTRAINT journal_seals_pkey PRIMARY KEY (seal)
);

-- The page in which an attempt by card is paid.
CREATE TABLE card_sessions (
    intent_id TEXT NOT NULL,
    fee_minor BIGINT NOT NULL,
    expires_at TIMESTAMPTZ(6) NOT NULL,
    -- What the payer gave for the gateway, which we cannot read: until it is handed out, and no longer.
    sealed_payer BYTEA,
    -- What the gateway calls it, and what the browser of a payer who has paid brings back.
    session_id TEXT,
    success_indicator TEXT,

    CONSTRAINT card_sessions_fee_is_not_negative CHECK (fee_minor >= 0),
    CONSTRAINT card_sessions_payer_length CHECK (octet_length(sealed_payer) <= 2048),
    CONSTRAINT card_sessions_are_opened_whole CHECK ((session_id IS NULL) = (success_indicator IS NULL)),
    CONSTRAINT card_sessions_pkey PRIMARY KEY (intent_id),
    CONSTRAINT card_sessions_intent_id_fkey FOREIGN KEY (intent_id) REFERENCES intents (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT
);

-- Who did what by hand.
CREATE TABLE operator_actions (
    action BIGINT GENERATED ALWAYS AS IDENTITY,
    at TIMESTAMPTZ(6) NOT NULL,
    operator TEXT NOT NULL,
    did TEXT NOT NULL,
    -- The receipt, as `mpesa:QK…`.
    subject TEXT NOT NULL,
    note TEXT NOT NULL,

    CONSTRAINT operator_actions_operator_length CHECK (char_length(operator) BETWEEN 1 AND 64),
    CONSTRAINT operator_actions_note_length CHECK (char_length(note) <= 500),
    CONSTRAINT operator_actions_pkey PRIMARY KEY (action),
    CONSTRAINT operator_actions_did_known CHECK (did IN (
        'placed', 'placement_asked', 'placement_withdrawn', 'refund_asked', 'refund_approved', 'refund_withdrawn',
        'closing_asked', 'closing_approved', 'closing_withdrawn',
        'freezing_asked', 'freezing_withdrawn', 'frozen', 'thawed',
        'enrolled', 'enrollment_asked', 'enrollment_withdrawn', 'retirement_asked', 'retirement_withdrawn', 'retired',
        'report_closing_asked', 'report_closed', 'report_closing_withdrawn'
        ))
);
CREATE INDEX operator_actions_subject_action_idx ON operator_actions (subject, action);

CREATE FUNCTION are_two_operators(p_one TEXT, p_other TEXT) RETURNS BOOLEAN LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(p_one <> p_other AND starts_with(p_one, 'legacy:') = starts_with(p_other, 'legacy:'), false)
$$;

CREATE TABLE refunds (
    id TEXT NOT NULL,
    provider TEXT NOT NULL,
    receipt TEXT NOT NULL,
    minor BIGINT NOT NULL,
    -- `us`: we ask the provider for it. `provider`: it has been done there, and is to be written down.
    sent_by TEXT NOT NULL,
    status TEXT NOT NULL,
    asked_by TEXT NOT NULL,
    asked_at TIMESTAMPTZ(6) NOT NULL,
    decided_by TEXT,
    decided_at TIMESTAMPTZ(6),
    -- Of the address where the provider tells how it ended.
    callback_secret TEXT NOT NULL,
    submitted_at TIMESTAMPTZ(6),
    provider_request_id TEXT,
    provider_code TEXT,
    ended_at TIMESTAMPTZ(6),
    -- When the sweep may next hand it out: to be sent, or asked about.
    next_action_at TIMESTAMPTZ(6),
    -- What a closing says became of the refund, who asked for it, and who agreed. A withdrawn one leaves nothing here.
    closing TEXT,
    closing_asked_by TEXT,
    closed_by TEXT,

    CONSTRAINT refunds_id_shape CHECK (id ~ '^rf_[0-9a-f]{24}$'),
    CONSTRAINT refunds_minor_is_positive CHECK (minor > 0),
    CONSTRAINT refunds_sent_by_known CHECK (sent_by IN ('us', 'provider')),
    CONSTRAINT refunds_pkey PRIMARY KEY (id),
    CONSTRAINT refunds_closing_known CHECK (closing IN ('paid', 'failed')),
    CONSTRAINT refunds_closing_is_asked CHECK ((closing IS NULL) = (closing_asked_by IS NULL)),
    CONSTRAINT refunds_need_two CHECK (status IN ('asked', 'withdrawn') OR are_two_operators(asked_by, decided_by)),
    CONSTRAINT refunds_closing_needs_two CHECK (closed_by IS NULL OR are_two_operators(closing_asked_by, closed_by))
);
-- A receipt goes back once.
CREATE UNIQUE INDEX refunds_one_underway ON refunds (provider, receipt) WHERE status NOT IN ('failed', 'withdrawn');
CREATE INDEX refunds_due ON refunds (next_action_at) WHERE next_action_at IS NOT NULL;
CREATE INDEX refunds_provider_receipt_idx ON refunds (provider, receipt);

CREATE TABLE statement_rows (
    provider TEXT NOT NULL,
    receipt TEXT NOT NULL,
    minor BIGINT NOT NULL,
    paid_at TIMESTAMPTZ(6) NOT NULL,
    seen_at TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT statement_rows_pkey PRIMARY KEY (provider, receipt)
);
CREATE INDEX statement_rows_paid_at_idx ON statement_rows (paid_at);

-- Which times have been read to their end.
CREATE TABLE statement_reads (
    provider TEXT NOT NULL,
    from_at TIMESTAMPTZ(6) NOT NULL,
    until_at TIMESTAMPTZ(6) NOT NULL,
    read_at TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT statement_reads_go_forward CHECK (until_at >= from_at),
    CONSTRAINT statement_reads_pkey PRIMARY KEY (provider, read_at)
);

CREATE TABLE recon_reports (
    day DATE NOT NULL,
    provider TEXT NOT NULL,
    made_at TIMESTAMPTZ(6) NOT NULL,
    -- What the provider says came in that day, and what the journal does.
    provider_receipts INTEGER NOT NULL,
    provider_minor BIGINT NOT NULL,
    journal_receipts INTEGER NOT NULL,
    journal_minor BIGINT NOT NULL,
    refunded_minor BIGINT NOT NULL,
    -- All that the float holds at the end of the day.
    float_minor BIGINT NOT NULL,
    -- Receipts that one side alone has, or that the two have in different amounts: their sum, and some of them.
    difference_minor BIGINT NOT NULL,
    differing TEXT[] NOT NULL,
    -- Until when the provider's word is known; absent of reports that are older than this column.
    read_until TIMESTAMPTZ(6),
    -- What the journal has from later than that, and the provider has not borne out yet.
    unknown_receipts INTEGER NOT NULL DEFAULT 0,
    unknown_minor BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT recon_reports_pkey PRIMARY KEY (day, provider, made_at)
);

-- Money from the Pay Bill menu is posted at once, also while nobody can say whose handle the account number is. It lies
-- in suspense then, and whoever is asked here is asked again until there is an answer. A list of work: a row goes when
-- it is done.
CREATE TABLE wanted_payees (
    message_id TEXT NOT NULL,
    receipt TEXT NOT NULL,
    next_action_at TIMESTAMPTZ(6) NOT NULL,
    claims INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT wanted_payees_pkey PRIMARY KEY (message_id),
    CONSTRAINT wanted_payees_message_id_fkey FOREIGN KEY (message_id) REFERENCES provider_messages (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE INDEX wanted_payees_next_action_at_idx ON wanted_payees (next_action_at);

CREATE TABLE operators (
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    -- Ed25519. Absent for a name of the time before keys, which cannot act any more.
    public_key BYTEA,
    -- The two of the installation, who need no other to be enrolled. There is no third number.
    founder SMALLINT,
    asked_by TEXT,
    asked_at TIMESTAMPTZ(6) NOT NULL,
    enrolled_by TEXT,
    enrolled_at TIMESTAMPTZ(6),
    retirement_asked_by TEXT,
    retired_by TEXT,
    retired_at TIMESTAMPTZ(6),

    CONSTRAINT operators_id_is_of_the_key CHECK (
        CASE WHEN public_key IS NULL THEN id LIKE 'legacy:%' AND enrolled_at IS NULL
        ELSE octet_length(public_key) = 32 AND id = 'op_' || substr(encode(sha256(public_key), 'hex'), 1, 24) END
        ),
    CONSTRAINT operators_name_shape CHECK (public_key IS NULL OR name ~ '^[a-z0-9][a-z0-9.-]{0,30}[a-z0-9]$'),
    CONSTRAINT operators_founder_known CHECK (founder IN (1, 2)),
    CONSTRAINT operators_enrolled_by_two CHECK (
        enrolled_at IS NULL OR (founder IS NOT NULL AND asked_by IS NULL AND enrolled_by IS NULL)
        OR coalesce(founder IS NULL AND asked_by <> enrolled_by AND id NOT IN (asked_by, enrolled_by), false)
        ),
    CONSTRAINT operators_retired_by_two CHECK (
        retired_at IS NULL OR coalesce(enrolled_at IS NOT NULL AND retirement_asked_by <> retired_by, false)
        ),
    CONSTRAINT operators_pkey PRIMARY KEY (id),
    CONSTRAINT operators_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES operators (id) ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT operators_enrolled_by_fkey FOREIGN KEY (enrolled_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT operators_retirement_asked_by_fkey FOREIGN KEY (retirement_asked_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT operators_retired_by_fkey FOREIGN KEY (retired_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE UNIQUE INDEX operators_founder_key ON operators (founder);
-- A retired operator's name may be given again: ids are compared, and names are only read.
CREATE UNIQUE INDEX operators_name_key ON operators (name) WHERE public_key IS NOT NULL AND retired_at IS NULL;

-- Every act that was accepted, as it was signed: anyone with the public key can verify it again.
CREATE TABLE operator_acts (
    act BIGINT GENERATED ALWAYS AS IDENTITY,
    at TIMESTAMPTZ(6) NOT NULL,
    operator TEXT NOT NULL,
    method TEXT NOT NULL,
    request BYTEA NOT NULL,
    -- As it was signed: ISO 8601.
    signed_at TEXT NOT NULL,
    nonce TEXT NOT NULL,
    signature BYTEA NOT NULL,

    CONSTRAINT operator_acts_lengths CHECK (
        char_length(nonce) BETWEEN 16 AND 64 AND octet_length(signature) = 64 AND char_length(method) <= 128
        ),
    CONSTRAINT operator_acts_pkey PRIMARY KEY (act)
);
CREATE UNIQUE INDEX operator_acts_nonce_key ON operator_acts (nonce);
