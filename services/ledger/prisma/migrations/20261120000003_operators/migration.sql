-- Held money that one operator asks to give to its owner, and another agrees to.
CREATE TABLE placements (
    id TEXT NOT NULL,
    -- The receipt, as `mpesa:QK…`.
    subject TEXT NOT NULL,
    checkout_id TEXT,
    account_id TEXT,
    status TEXT NOT NULL,
    asked_by TEXT NOT NULL,
    asked_at TIMESTAMPTZ(6) NOT NULL,
    decided_by TEXT,
    decided_at TIMESTAMPTZ(6),

    CONSTRAINT placements_id_shape CHECK (id ~ '^pl_[0-9a-f]{24}$'),
    CONSTRAINT placements_one_owner CHECK (num_nonnulls(checkout_id, account_id) = 1),
    CONSTRAINT placements_status_known CHECK (status IN ('asked', 'placed', 'withdrawn')),
    CONSTRAINT placements_need_two CHECK (status <> 'placed' OR are_two_operators(asked_by, decided_by)),
    CONSTRAINT placements_pkey PRIMARY KEY (id),
    CONSTRAINT placements_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT placements_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE UNIQUE INDEX placements_one_asked ON placements (subject) WHERE status = 'asked';
CREATE INDEX placements_subject_idx ON placements (subject);

-- A wallet that one operator asks to freeze or to thaw, and another agrees to.
CREATE TABLE freezings (
    id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    is_frozen BOOLEAN NOT NULL,
    status TEXT NOT NULL,
    asked_by TEXT NOT NULL,
    asked_at TIMESTAMPTZ(6) NOT NULL,
    decided_by TEXT,
    decided_at TIMESTAMPTZ(6),

    CONSTRAINT freezings_id_shape CHECK (id ~ '^fr_[0-9a-f]{24}$'),
    CONSTRAINT freezings_status_known CHECK (status IN ('asked', 'done', 'withdrawn')),
    CONSTRAINT freezings_need_two CHECK (status <> 'done' OR are_two_operators(asked_by, decided_by)),
    CONSTRAINT freezings_pkey PRIMARY KEY (id),
    CONSTRAINT freezings_account_id_fkey FOREIGN KEY (account_id) REFERENCES wallets (account_id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT freezings_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT freezings_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE UNIQUE INDEX freezings_one_asked ON freezings (account_id) WHERE status = 'asked';

-- Reports of payment, a row for each receipt of an intent, until the journal has it.
CREATE TABLE payment_reports (
    intent_id TEXT NOT NULL,
    -- '' where the report names none.
    receipt TEXT NOT NULL,
    message_id TEXT NOT NULL,
    provider TEXT NOT NULL,
    minor BIGINT NOT NULL,
    reported_at TIMESTAMPTZ(6) NOT NULL,
    -- When a person was told that the receipt is still missing.
    alarmed_at TIMESTAMPTZ(6),

    CONSTRAINT payment_reports_pkey PRIMARY KEY (intent_id, receipt),
    CONSTRAINT payment_reports_intent_id_fkey FOREIGN KEY (intent_id) REFERENCES intents (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE INDEX payment_reports_reported_at_idx ON payment_reports (reported_at);

-- Whoever knows the secret of the path can tell of a Pay Bill payment that was never made. What brings no answer of ours to
-- M-Pesa's validation back, or comes from an unlisted address, is a report: the money waits until the statement shows it.
CREATE TABLE pay_bill_reports (
    message_id TEXT NOT NULL,
    receipt TEXT NOT NULL,
    -- Absent of money for a handle, and of money that has no owner.
    checkout_id TEXT,
    minor BIGINT NOT NULL,
    reported_at TIMESTAMPTZ(6) NOT NULL,
    -- Until then the checkout stays open for it.
    held_until TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT pay_bill_reports_pkey PRIMARY KEY (message_id),
    CONSTRAINT pay_bill_reports_message_id_fkey FOREIGN KEY (message_id) REFERENCES provider_messages (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT pay_bill_reports_checkout_id_fkey FOREIGN KEY (checkout_id) REFERENCES checkouts (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE INDEX pay_bill_reports_checkout_id_idx ON pay_bill_reports (checkout_id) WHERE checkout_id IS NOT NULL;
CREATE INDEX pay_bill_reports_reported_at_idx ON pay_bill_reports (reported_at);

-- A report of payment that the provider knows nothing of is closed by two operators. No money changes by it: should the
-- receipt come after all, it is posted as ever.
CREATE TABLE report_closings (
    id TEXT NOT NULL,
    -- The receipt, as `mpesa:QK…`; the intent of a report that names no receipt.
    subject TEXT NOT NULL,
    status TEXT NOT NULL,
    asked_by TEXT NOT NULL,
    asked_at TIMESTAMPTZ(6) NOT NULL,
    decided_by TEXT,
    decided_at TIMESTAMPTZ(6),

    CONSTRAINT report_closings_id_shape CHECK (id ~ '^rc_[0-9a-f]{24}$'),
    CONSTRAINT report_closings_status_known CHECK (status IN ('asked', 'closed', 'withdrawn')),
    CONSTRAINT report_closings_need_two CHECK (status <> 'closed' OR are_two_operators(asked_by, decided_by)),
    CONSTRAINT report_closings_pkey PRIMARY KEY (id),
    CONSTRAINT report_closings_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT report_closings_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE UNIQUE INDEX report_closings_one_open ON report_closings (subject) WHERE status IN ('asked', 'closed');

ALTER TABLE provider_messages ADD CONSTRAINT provider_messages_refund_id_fkey FOREIGN KEY (refund_id) REFERENCES refunds (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE refunds ADD CONSTRAINT refunds_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE refunds ADD CONSTRAINT refunds_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE refunds ADD CONSTRAINT refunds_closing_asked_by_fkey FOREIGN KEY (closing_asked_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE refunds ADD CONSTRAINT refunds_closed_by_fkey FOREIGN KEY (closed_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT;
