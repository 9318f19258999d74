CREATE SEQUENCE pay_bill_places AS BIGINT MINVALUE 0 MAXVALUE 9999999 CYCLE;

-- Whose money this is: one row, written when a ledger first starts on the database, never changed.
CREATE TABLE deployment (
    is_only BOOLEAN NOT NULL DEFAULT true,
    country TEXT NOT NULL,
    currency TEXT NOT NULL,
    created_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT deployment_is_one_row CHECK (is_only),
    CONSTRAINT deployment_country_and_currency CHECK ((country, currency) IN (('ke', 'KES'), ('ug', 'UGX'))),
    CONSTRAINT deployment_pkey PRIMARY KEY (is_only)
);
CREATE UNIQUE INDEX deployment_currency_key ON deployment (currency);

-- What money can lie in: `wallet:<account>`, `float:<provider>`, `suspense:<reason>`. The currency is the deployment's.
CREATE TABLE accounts (
    id TEXT NOT NULL,
    currency TEXT NOT NULL,
    opened_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT accounts_pkey PRIMARY KEY (id),
    CONSTRAINT accounts_currency_fkey FOREIGN KEY (currency) REFERENCES deployment (currency)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    -- A merchant may owe us what was taken back after it was spent.
    CONSTRAINT accounts_id_shape CHECK (id ~ '^(wallet|float|suspense|receivable|fee):.{1,64}$')
);
CREATE UNIQUE INDEX accounts_id_currency_key ON accounts (id, currency);

-- An account of the hub that can be paid here. A frozen wallet takes no money and makes no checkouts.
CREATE TABLE wallets (
    account_id TEXT NOT NULL,
    card_enabled BOOLEAN NOT NULL,
    frozen_at TIMESTAMPTZ(6),
    opened_at TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT wallets_account_id_length CHECK (char_length(account_id) BETWEEN 1 AND 64),
    CONSTRAINT wallets_pkey PRIMARY KEY (account_id)
);

-- A fixed price to be paid, as agreed: the row never changes. Whether it is paid is said by its intents, and its status
-- is computed and never stored, so `expired` needs nobody to notice.
CREATE TABLE checkouts (
    id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    amount_minor BIGINT NOT NULL,
    reference TEXT,
    description TEXT,
    return_url TEXT,
    phone TEXT,
    created_at TIMESTAMPTZ(6) NOT NULL,
    expires_at TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT checkouts_id_shape CHECK (id ~ '^cs_(ke|ug)_[0-9a-f]{24}$'),
    CONSTRAINT checkouts_amount_is_positive CHECK (amount_minor > 0),
    CONSTRAINT checkouts_reference_length CHECK (char_length(reference) BETWEEN 1 AND 64),
    CONSTRAINT checkouts_description_length CHECK (char_length(description) BETWEEN 1 AND 140),
    CONSTRAINT checkouts_return_url_length CHECK (char_length(return_url) BETWEEN 1 AND 2048),
    CONSTRAINT checkouts_phone_shape CHECK (phone ~ '^[0-9]{9,15}$'),
    CONSTRAINT checkouts_expire_after_creation CHECK (expires_at > created_at),
    CONSTRAINT checkouts_pkey PRIMARY KEY (id),
    CONSTRAINT checkouts_account_id_fkey FOREIGN KEY (account_id) REFERENCES wallets (account_id)
        ON DELETE RESTRICT ON UPDATE RESTRICT
);
-- What the account hub reads: an account's checkouts in their order, by reference and by receipt, and its wallet.
CREATE INDEX checkouts_account_id_created_at_id_idx ON checkouts (account_id, created_at DESC, id DESC);
-- The id is in it, so that the beginning of a reference is looked for without a look at the checkouts themselves.
CREATE INDEX checkouts_account_id_reference_id_idx ON checkouts (account_id, reference, id) WHERE reference IS NOT NULL;
CREATE INDEX checkouts_created_at_idx ON checkouts USING brin (created_at);

-- One attempt to take money. Its status follows the rule `intent`; triggers see to it, to the columns that go with each
-- status, and to the log of steps. They are no CHECKs, because PostgreSQL prepares every CHECK of a table anew for each
-- statement, and this row changes at every step of a payment.
CREATE TABLE intents (
    id TEXT NOT NULL,
    checkout_id TEXT,
    rail TEXT NOT NULL,
    phone TEXT,
    amount_minor BIGINT NOT NULL,
    status TEXT NOT NULL,
    -- What brought it to its status.
    event TEXT NOT NULL,
    created_at TIMESTAMPTZ(6) NOT NULL,
    submitted_at TIMESTAMPTZ(6),
    ended_at TIMESTAMPTZ(6),
    -- When it expires if nothing happens; only while it is in flight.
    deadline_at TIMESTAMPTZ(6),
    -- When the sweep may next hand it out, and when the provider may next be asked about it.
    next_action_at TIMESTAMPTZ(6),
    query_at TIMESTAMPTZ(6),
    asked_at TIMESTAMPTZ(6),
    -- What goes to the provider, and its answer. Absent on an attempt that was born settled.
    callback_secret TEXT,
    attempt_reference TEXT,
    provider_request_id TEXT,
    -- The provider said "paid" without a receipt: what is missing is the row of its statement.
    receipt_wanted BOOLEAN NOT NULL DEFAULT false,
    -- A query's "no" that waits for a second one.
    denied_code TEXT,
    denied_at TIMESTAMPTZ(6),
    -- Why it took no money.
    cause TEXT,
    provider_code TEXT,
    -- The money, and where it went.
    settled_minor BIGINT,
    receipt TEXT,
    settled_at TIMESTAMPTZ(6),
    disposition TEXT,
    account_id TEXT,
    handle TEXT,
    -- Every intent so far asked for its amount. A trigger refuses each UPDATE that names a column of what was asked, so the
    -- column is filled before it is one of them.
    asked_minor BIGINT NOT NULL,
    -- When the prompt was first held back behind another one on its phone.
    queued_at TIMESTAMPTZ(6),
    -- The first report of payment that the journal does not bear out, and until when it keeps the intent open.
    reported_at TIMESTAMPTZ(6),
    held_until TIMESTAMPTZ(6),

    CONSTRAINT intents_pkey PRIMARY KEY (id),
    CONSTRAINT intents_checkout_id_fkey FOREIGN KEY (checkout_id) REFERENCES checkouts (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT intents_account_id_fkey FOREIGN KEY (account_id) REFERENCES wallets (account_id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    -- The word is never stored again.
    CONSTRAINT intents_phone_is_no_word CHECK (phone <> 'unknown') NOT VALID
) WITH (fillfactor = 70);
-- At most one attempt in flight a checkout, and at most one that paid its merchant.
CREATE UNIQUE INDEX intents_one_in_flight ON intents (checkout_id) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX intents_one_paid ON intents (checkout_id) WHERE disposition = 'merchant';
-- The newest attempt of a checkout, and how many it had within the hour; the same for a phone.
CREATE INDEX intents_checkout_id_created_at_idx ON intents (checkout_id, created_at);
CREATE INDEX intents_phone_created_at_idx ON intents (phone, created_at);
CREATE INDEX intents_due ON intents (next_action_at) WHERE next_action_at IS NOT NULL;
CREATE INDEX intents_overdue ON intents (deadline_at) WHERE deadline_at IS NOT NULL;
-- M-Pesa may report a prompt's payment as a Pay Bill payment too, with the attempt's own reference as the account.
CREATE UNIQUE INDEX intents_attempt_reference_key ON intents (attempt_reference);
CREATE INDEX intents_receipt_idx ON intents (receipt) WHERE receipt IS NOT NULL;
-- The payments to handles of an account, and nothing of those to its checkouts.
CREATE INDEX intents_account_id_created_at_idx ON intents (account_id, created_at) WHERE account_id IS NOT NULL;
-- Attempts whose money is held, of which there are few: a merchant asks for his among all that he was ever paid.
CREATE INDEX intents_held ON intents (checkout_id)
    WHERE disposition IN ('suspense_duplicate', 'suspense_mismatch', 'suspense_unmatched');

-- Every step of every intent, written by a trigger. No foreign key: the trigger is its only writer, and intents stay.
CREATE TABLE intent_steps (
    intent_id TEXT NOT NULL,
    step BIGINT GENERATED ALWAYS AS IDENTITY,
    from_status TEXT NOT NULL,
    event TEXT NOT NULL,
    to_status TEXT NOT NULL,
    at TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT intent_steps_pkey PRIMARY KEY (intent_id, step)
);
CREATE INDEX intent_steps_at_idx ON intent_steps USING brin (at);

-- The decision to call a provider, committed before the call. One an intent: a lost answer is never sent again.
CREATE TABLE wire_attempts (
    intent_id TEXT NOT NULL,
    rail TEXT NOT NULL,
    began_at TIMESTAMPTZ(6) NOT NULL,
    ended_at TIMESTAMPTZ(6),
    outcome TEXT,
    detail TEXT,

    CONSTRAINT wire_attempts_outcome_known CHECK (outcome IN ('accepted', 'refused', 'not_sent', 'unknown')),
    CONSTRAINT wire_attempts_end_with_an_outcome CHECK ((ended_at IS NULL) = (outcome IS NULL)),
    CONSTRAINT wire_attempts_pkey PRIMARY KEY (intent_id),
    CONSTRAINT wire_attempts_intent_id_fkey FOREIGN KEY (intent_id) REFERENCES intents (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT
);

-- Everything a provider said about an attempt, word for word, and what came of it.
CREATE TABLE provider_messages (
    id TEXT NOT NULL,
    intent_id TEXT,
    rail TEXT NOT NULL,
    kind TEXT NOT NULL,
    body BYTEA NOT NULL,
    -- Of a callback's body and source: the same one again is counted, not kept again.
    digest BYTEA,
    source_address TEXT NOT NULL,
    source_known BOOLEAN NOT NULL,
    received_at TIMESTAMPTZ(6) NOT NULL,
    deliveries INTEGER NOT NULL DEFAULT 1,
    -- When the sweep may next hand it out, while it is unread, and how often it has.
    next_action_at TIMESTAMPTZ(6),
    claims INTEGER NOT NULL DEFAULT 0,
    -- What it was understood to say, what it is worth, and what it did.
    fact TEXT,
    strength TEXT,
    result TEXT,
    receipt TEXT,
    detail TEXT,
    applied_at TIMESTAMPTZ(6),
    refund_id TEXT,
    -- Whether the message came to the address of this intent, with its token, or was fetched by us. A callback to an address
    -- that all intents share is bound by its signature alone, which its reader checks.
    is_bound BOOLEAN NOT NULL DEFAULT false,

    -- Not longer than a provider's answer can be, and either due to be read or done with.
    CONSTRAINT provider_messages_are_sound CHECK (
        octet_length(body) <= 8192 AND num_nonnulls(next_action_at, result) = 1
        ),
    CONSTRAINT provider_messages_pkey PRIMARY KEY (id),
    CONSTRAINT provider_messages_intent_id_fkey FOREIGN KEY (intent_id) REFERENCES intents (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    -- What a provider says about a refund is a message about no attempt.
    CONSTRAINT provider_messages_are_about_something
        CHECK (num_nonnulls(intent_id, refund_id) = CASE rail WHEN 'paybill' THEN 0 ELSE 1 END)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX provider_messages_intent_id_digest_key ON provider_messages (intent_id, digest)
    WHERE digest IS NOT NULL;
CREATE INDEX provider_messages_due ON provider_messages (next_action_at) WHERE next_action_at IS NOT NULL;
CREATE UNIQUE INDEX provider_messages_digest_key ON provider_messages (digest) WHERE intent_id IS NULL;
CREATE INDEX provider_messages_received_at_applied_at_idx ON provider_messages USING brin (received_at, applied_at);
CREATE INDEX provider_messages_refund_id_idx ON provider_messages (refund_id) WHERE refund_id IS NOT NULL;

-- What a key of a caller made, written in the same transaction as what it made.
CREATE TABLE idempotency_keys (
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint BYTEA NOT NULL,
    checkout_id TEXT,
    intent_id TEXT,
    created_at TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT idempotency_keys_key_length CHECK (char_length(key) BETWEEN 1 AND 128),
    CONSTRAINT idempotency_keys_fingerprint_length CHECK (octet_length(fingerprint) = 32),
    CONSTRAINT idempotency_keys_made_one_thing CHECK (num_nonnulls(checkout_id, intent_id) = 1),
    CONSTRAINT idempotency_keys_pkey PRIMARY KEY (scope, key),
    -- Deferred, because the key is taken before what it makes.
    CONSTRAINT idempotency_keys_checkout_id_fkey FOREIGN KEY (checkout_id) REFERENCES checkouts (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT DEFERRABLE INITIALLY DEFERRED,
    CONSTRAINT idempotency_keys_intent_id_fkey FOREIGN KEY (intent_id) REFERENCES intents (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys USING brin (created_at);

-- The journal. One debit and one credit a row, so an unbalanced posting cannot be written down; the key is what
-- happened (`receipt:<provider>:<receipt>`), so the same money cannot be posted twice.
CREATE TABLE transfers (
    event_key TEXT NOT NULL,
    leg SMALLINT NOT NULL,
    debit TEXT NOT NULL,
    credit TEXT NOT NULL,
    currency TEXT NOT NULL,
    minor BIGINT NOT NULL,
    event_at TIMESTAMPTZ(6) NOT NULL,
    created_at TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT transfers_leg_is_not_negative CHECK (leg >= 0),
    CONSTRAINT transfers_minor_is_positive CHECK (minor > 0),
    CONSTRAINT transfers_move_money CHECK (debit <> credit),
    CONSTRAINT transfers_pkey PRIMARY KEY (event_key, leg),
    CONSTRAINT transfers_debit_currency_fkey FOREIGN KEY (debit, currency) REFERENCES accounts (id, currency)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT transfers_credit_currency_fkey FOREIGN KEY (credit, currency) REFERENCES accounts (id, currency)
        ON DELETE RESTRICT ON UPDATE RESTRICT
);
-- The amount is in them, so that a balance is summed without a look at the journal itself.
CREATE INDEX transfers_into_wallets ON transfers (credit, created_at DESC, minor) WHERE credit LIKE 'wallet:%';
CREATE INDEX transfers_out_of_wallets ON transfers (debit, created_at DESC, minor) WHERE debit LIKE 'wallet:%';
-- History is written in the order of its time, so a summary of each stretch of disk finds what is new, and costs the
-- payment nothing.
CREATE INDEX transfers_created_at_idx ON transfers USING brin (created_at);
-- What lies in suspense, and whatever else is neither a wallet nor a float.
CREATE INDEX transfers_into_others ON transfers (credit, minor) WHERE credit !~ '^(float|wallet):';
CREATE INDEX transfers_out_of_others ON transfers (debit, minor) WHERE debit !~ '^(float|wallet):';
CREATE INDEX transfers_event_at_idx ON transfers USING brin (event_at);
