-- What a provider's own statement shows, kept receipt by receipt: what the journal is compared with, and what a
-- confirmation that anybody may have sent has to be borne out by.

CREATE TABLE statement_rows (
    provider TEXT NOT NULL,
    receipt TEXT NOT NULL,
    minor BIGINT NOT NULL,
    paid_at TIMESTAMPTZ(6) NOT NULL,
    seen_at TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT statement_rows_pkey PRIMARY KEY (provider, receipt)
);
CREATE INDEX statement_rows_paid_at_idx ON statement_rows (paid_at);
CREATE TRIGGER statement_rows_never_change BEFORE UPDATE OR DELETE OR TRUNCATE ON statement_rows
    EXECUTE FUNCTION refuse_change('it is only ever added to');

-- Which times have been read to their end.
CREATE TABLE statement_reads (
    provider TEXT NOT NULL,
    from_at TIMESTAMPTZ(6) NOT NULL,
    until_at TIMESTAMPTZ(6) NOT NULL,
    read_at TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT statement_reads_pkey PRIMARY KEY (provider, read_at),
    CONSTRAINT statement_reads_go_forward CHECK (until_at >= from_at)
);
CREATE TRIGGER statement_reads_never_change BEFORE UPDATE OR DELETE OR TRUNCATE ON statement_reads
    EXECUTE FUNCTION refuse_change('it is only ever added to');

-- Keeps a row of the statement, before it is applied. Money that was frozen for want of it goes back to where it was.
CREATE FUNCTION note_statement_row(
    p_message_id TEXT, p_receipt TEXT, p_minor BIGINT, p_paid_at TIMESTAMPTZ
)
RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
    v_provider TEXT;
    v_subject TEXT;
BEGIN
    SELECT decide('provider', m.rail) INTO v_provider FROM provider_messages m
    WHERE m.id = p_message_id AND m.kind = 'statement_row';
    IF NOT FOUND THEN
        RETURN;
    END IF;
    INSERT INTO statement_rows (provider, receipt, minor, paid_at, seen_at)
    VALUES (v_provider, p_receipt, p_minor, coalesce(p_paid_at, v_now), v_now) ON CONFLICT DO NOTHING;

    v_subject := v_provider || ':' || p_receipt;
    PERFORM pg_advisory_xact_lock(hashtextextended('receipt:' || v_subject, 0));
    INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
    SELECT 'placed:' || v_subject, f.leg, f.credit, f.debit, f.currency, f.minor, v_now, v_now FROM transfers f
    WHERE f.event_key = 'frozen:' || v_subject
        AND (SELECT holder FROM money_of(v_subject)) = 'suspense:unconfirmed'
    ON CONFLICT DO NOTHING;
END $$;

-- Takes back from wallets what a Pay Bill confirmation told of and the statement, read to well after it, does not show;
-- answers the receipts. A person decides what becomes of it. Nothing is taken while the statement cannot be read.
CREATE FUNCTION freeze_unconfirmed(p_after_seconds DOUBLE PRECISION)
RETURNS SETOF TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_found RECORD;
    v_money RECORD;
BEGIN
    FOR v_found IN
        SELECT 'mpesa:' || m.receipt AS subject, i.id AS intent_id FROM provider_messages m
        JOIN transfers t ON t.event_key = 'receipt:mpesa:' || m.receipt AND t.credit LIKE 'wallet:%'
        JOIN intents i ON i.receipt = m.receipt AND i.rail = 'paybill'
        WHERE m.rail = 'paybill' AND m.kind = 'callback' AND m.result = 'settled'
            -- The statement reaches back two days.
            AND m.applied_at > clock_timestamp() - interval '47 hours'
            AND m.applied_at < clock_timestamp() - make_interval(secs => p_after_seconds)
            AND NOT EXISTS (SELECT FROM statement_rows s WHERE s.provider = 'mpesa' AND s.receipt = m.receipt)
            AND NOT EXISTS (SELECT FROM transfers f WHERE f.event_key = 'frozen:mpesa:' || m.receipt)
            AND EXISTS (
                SELECT FROM statement_reads r WHERE r.provider = 'mpesa' AND r.from_at <= t.event_at
                    AND r.until_at >= greatest(t.event_at, m.applied_at) + make_interval(secs => p_after_seconds / 2)
            )
        LIMIT 100
    LOOP
        PERFORM pg_advisory_xact_lock(hashtextextended('receipt:' || v_found.subject, 0));
        SELECT * INTO v_money FROM money_of(v_found.subject);
        IF v_money.holder LIKE 'wallet:%' THEN
            PERFORM move_money('frozen:' || v_found.subject, v_money.holder, 'suspense:unconfirmed', v_money.minor);
            INSERT INTO suspense_items (event_key, leg, reason, intent_id, minor, opened_at)
            VALUES ('frozen:' || v_found.subject, 0, 'unconfirmed', v_found.intent_id, v_money.minor, clock_timestamp());
            RETURN NEXT v_found.subject;
        END IF;
    END LOOP;
END $$;
