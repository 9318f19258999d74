-- No report of payment ends in `failed` unseen. What a provider reported as paid, by a message that is bound to the intent,
-- holds the intent open for a while and stays on a list until its receipt is in the journal.

-- Whether the message came to the address of this intent, with its token, or was fetched by us. A callback to an address
-- that all intents share is bound by its signature alone, which its reader checks.
ALTER TABLE provider_messages ADD COLUMN is_bound BOOLEAN NOT NULL DEFAULT false;

ALTER TABLE intents
    -- The first report of payment that the journal does not bear out, and until when it keeps the intent open.
    ADD COLUMN reported_at TIMESTAMPTZ(6),
    ADD COLUMN held_until TIMESTAMPTZ(6);

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

-- Lists a report of payment, once a receipt, unless the journal has it; and holds an intent in flight open for it. Only the
-- first report of an intent extends its deadline, so that no number of them holds it for ever.
CREATE FUNCTION note_report(
    p_message_id TEXT, p_intent_id TEXT, p_provider TEXT, p_receipt TEXT, p_minor BIGINT, p_hold_seconds DOUBLE PRECISION
)
RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
    v_until TIMESTAMPTZ := v_now + make_interval(secs => p_hold_seconds);
BEGIN
    IF EXISTS (SELECT FROM transfers t WHERE t.event_key = 'receipt:' || p_provider || ':' || p_receipt)
        OR (p_receipt = '' AND EXISTS (SELECT FROM intents i WHERE i.id = p_intent_id AND i.settled_at IS NOT NULL)) THEN
        RETURN;
    END IF;
    INSERT INTO payment_reports (intent_id, receipt, message_id, provider, minor, reported_at)
    VALUES (p_intent_id, p_receipt, p_message_id, p_provider, p_minor, v_now)
    ON CONFLICT DO NOTHING;
    UPDATE intents SET
        reported_at = v_now,
        held_until = CASE WHEN ended_at IS NULL THEN v_until END,
        deadline_at = CASE WHEN ended_at IS NULL THEN greatest(deadline_at, v_until) END
    WHERE id = p_intent_id AND reported_at IS NULL AND settled_at IS NULL AND submitted_at IS NOT NULL;
END $$;

-- Reports of payment whose receipt is not in the journal ten minutes after, by the clock of now.
CREATE FUNCTION unposted_reports() RETURNS SETOF payment_reports LANGUAGE sql STABLE AS $$
    SELECT r.* FROM payment_reports r
    WHERE r.reported_at < clock_timestamp() - interval '10 minutes'
        AND NOT EXISTS (SELECT FROM transfers t WHERE t.event_key = 'receipt:' || r.provider || ':' || r.receipt)
        AND NOT (r.receipt = ''
            AND EXISTS (SELECT FROM intents i WHERE i.id = r.intent_id AND i.settled_at IS NOT NULL))
$$;

-- Takes off the list what is in the journal by now, and answers, once each, what a person has to be told of.
CREATE FUNCTION alarm_unposted_reports()
RETURNS TABLE (intent_id TEXT, provider TEXT, receipt TEXT, minor BIGINT) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    DELETE FROM payment_reports r WHERE EXISTS (
        SELECT FROM transfers t WHERE t.event_key = 'receipt:' || r.provider || ':' || r.receipt
    ) OR (r.receipt = '' AND EXISTS (SELECT FROM intents i WHERE i.id = r.intent_id AND i.settled_at IS NOT NULL));
    RETURN QUERY
    UPDATE payment_reports r SET alarmed_at = clock_timestamp()
    FROM unposted_reports() u
    WHERE r.intent_id = u.intent_id AND r.receipt = u.receipt AND r.alarmed_at IS NULL
    RETURNING r.intent_id, r.provider, r.receipt, r.minor;
END $$;

-- As before; says whether the message is bound to the intent.
CREATE OR REPLACE FUNCTION store_provider_message(
    p_message_id TEXT,
    p_intent_id TEXT,
    p_callback_secret TEXT,
    p_rail TEXT,
    p_kind TEXT,
    p_body BYTEA,
    p_source_address TEXT,
    p_source_known BOOLEAN
)
RETURNS TEXT LANGUAGE sql AS $$
    INSERT INTO provider_messages AS kept (
        id, intent_id, rail, kind, body, digest, source_address, source_known, received_at, next_action_at, is_bound
    )
    SELECT p_message_id, i.id, i.rail,
        CASE p_kind WHEN 'callback' THEN decide('callback', i.rail) ELSE p_kind END, p_body,
        CASE p_kind WHEN 'callback' THEN sha256(convert_to(p_source_known::text, 'UTF8') || p_body) END,
        p_source_address, p_source_known, clock_timestamp(),
        -- The bell rings first; where it does not, the sweep takes the row a second later.
        clock_timestamp() + interval '1 second',
        p_kind <> 'callback' OR p_callback_secret IS NOT NULL OR i.rail = 'card'
    FROM intents i
    WHERE i.id = p_intent_id AND i.rail = coalesce(p_rail, i.rail)
        -- Digests take as long to compare however much of a guess is right.
        AND (p_kind <> 'callback'
            OR (p_callback_secret IS NULL AND decide('callback', i.rail) = 'hint')
            OR sha256(convert_to(i.callback_secret, 'UTF8')) = sha256(convert_to(p_callback_secret, 'UTF8')))
    ON CONFLICT (intent_id, digest) WHERE digest IS NOT NULL DO UPDATE SET deliveries = kept.deliveries + 1
    RETURNING kept.id
$$;

-- As before; a failed intent that was reported as paid is asked about like an expired one.
CREATE OR REPLACE FUNCTION begin_query(p_intent_id TEXT, p_query_every_seconds DOUBLE PRECISION)
RETURNS TABLE (
    rail TEXT, amount_minor BIGINT, attempt_reference TEXT, provider_request_id TEXT, submitted_at TIMESTAMPTZ,
    receipt_wanted BOOLEAN
)
LANGUAGE sql AS $$
    UPDATE intents i SET asked_at = clock_timestamp(), query_at = next.at, next_action_at = next.at
    FROM (
        SELECT id, CASE
            -- A failed intent is asked about once, when something said that it was paid after all.
            WHEN status <> 'failed' OR receipt_wanted OR reported_at IS NOT NULL
            THEN next_query_at(submitted_at, ended_at IS NULL, receipt_wanted, p_query_every_seconds)
        END AS at
        FROM intents WHERE id = p_intent_id AND query_at <= clock_timestamp() FOR NO KEY UPDATE
    ) next
    WHERE i.id = next.id
    RETURNING i.rail, i.asked_minor, i.attempt_reference, i.provider_request_id, i.submitted_at, i.receipt_wanted
$$;
