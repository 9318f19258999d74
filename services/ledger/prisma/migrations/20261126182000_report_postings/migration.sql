-- Money of an attempt that was reported as paid and whose receipt no message brought: one operator asks to post it by the receipt
-- that the provider's portal shows, and another agrees.
CREATE TABLE report_postings (
    id TEXT NOT NULL,
    intent_id TEXT NOT NULL,
    -- As the provider's portal shows them.
    receipt TEXT NOT NULL,
    minor BIGINT NOT NULL,
    status TEXT NOT NULL,
    asked_by TEXT NOT NULL,
    asked_at TIMESTAMPTZ(6) NOT NULL,
    decided_by TEXT,
    decided_at TIMESTAMPTZ(6),

    CONSTRAINT report_postings_id_shape CHECK (id ~ '^rp_[0-9a-f]{24}$'),
    CONSTRAINT report_postings_minor_is_positive CHECK (minor > 0),
    CONSTRAINT report_postings_status_known CHECK (status IN ('asked', 'posted', 'withdrawn')),
    CONSTRAINT report_postings_need_two CHECK (status <> 'posted' OR are_two_operators(asked_by, decided_by)),
    CONSTRAINT report_postings_pkey PRIMARY KEY (id),
    CONSTRAINT report_postings_intent_id_fkey FOREIGN KEY (intent_id) REFERENCES intents (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT report_postings_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT report_postings_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE UNIQUE INDEX report_postings_one_open ON report_postings (intent_id) WHERE status IN ('asked', 'posted');

-- Few acts are done by hand, so the check of what there is takes no time.
ALTER TABLE operator_actions DROP CONSTRAINT operator_actions_did_known;
ALTER TABLE operator_actions ADD CONSTRAINT operator_actions_did_known CHECK (did IN (
    'placed', 'placement_asked', 'placement_withdrawn', 'refund_asked', 'refund_approved', 'refund_withdrawn',
    'closing_asked', 'closing_approved', 'closing_withdrawn',
    'freezing_asked', 'freezing_withdrawn', 'frozen', 'thawed',
    'enrolled', 'enrollment_asked', 'enrollment_withdrawn', 'retirement_asked', 'retirement_withdrawn', 'retired',
    'report_closing_asked', 'report_closed', 'report_closing_withdrawn',
    'report_posting_asked', 'report_posted', 'report_posting_withdrawn'
    ));
