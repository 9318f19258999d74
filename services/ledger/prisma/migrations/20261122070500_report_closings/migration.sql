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

    CONSTRAINT report_closings_pkey PRIMARY KEY (id),
    CONSTRAINT report_closings_id_shape CHECK (id ~ '^rc_[0-9a-f]{24}$'),
    CONSTRAINT report_closings_status_known CHECK (status IN ('asked', 'closed', 'withdrawn')),
    CONSTRAINT report_closings_need_two CHECK (status <> 'closed' OR are_two_operators(asked_by, decided_by)),
    CONSTRAINT report_closings_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT,
    CONSTRAINT report_closings_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES operators (id)
        ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE UNIQUE INDEX report_closings_one_open ON report_closings (subject) WHERE status IN ('asked', 'closed');
CREATE TRIGGER report_closings_never_go BEFORE DELETE OR TRUNCATE ON report_closings
    EXECUTE FUNCTION refuse_change('it is never removed');
CREATE TRIGGER report_closings_stay_as_asked BEFORE UPDATE OF id, subject, asked_by, asked_at ON report_closings
    EXECUTE FUNCTION refuse_change('it is what was agreed to');
CREATE TRIGGER report_closings_stay_decided BEFORE UPDATE ON report_closings
    FOR EACH ROW WHEN (OLD.status <> 'asked') EXECUTE FUNCTION refuse_change('it was decided');

ALTER TABLE operator_actions
    DROP CONSTRAINT operator_actions_did_known,
    ADD CONSTRAINT operator_actions_did_known CHECK (did IN (
        'placed', 'placement_asked', 'placement_withdrawn', 'refund_asked', 'refund_approved', 'refund_withdrawn',
        'closing_asked', 'closing_approved', 'closing_withdrawn',
        'freezing_asked', 'freezing_withdrawn', 'frozen', 'thawed',
        'enrolled', 'enrollment_asked', 'enrollment_withdrawn', 'retirement_asked', 'retirement_withdrawn', 'retired',
        'report_closing_asked', 'report_closed', 'report_closing_withdrawn'
    ));

CREATE FUNCTION report_subject(p_provider TEXT, p_receipt TEXT, p_intent_id TEXT)
RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE p_receipt WHEN '' THEN p_intent_id ELSE p_provider || ':' || p_receipt END
$$;

CREATE FUNCTION is_report_closed(p_subject TEXT) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM report_closings WHERE subject = p_subject AND status = 'closed')
$$;

-- Whether the money of a report is in the journal.
CREATE FUNCTION is_report_posted(p_subject TEXT) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM transfers WHERE event_key = 'receipt:' || p_subject)
        OR EXISTS (SELECT FROM intents WHERE id = p_subject AND settled_at IS NOT NULL)
$$;

-- As before; without those that two operators have closed.
CREATE OR REPLACE FUNCTION unposted_reports() RETURNS SETOF payment_reports LANGUAGE sql STABLE AS $$
    SELECT r.* FROM payment_reports r
    WHERE r.reported_at < clock_timestamp() - interval '10 minutes'
        AND NOT EXISTS (SELECT FROM transfers t WHERE t.event_key = 'receipt:' || r.provider || ':' || r.receipt)
        AND NOT (r.receipt = ''
            AND EXISTS (SELECT FROM intents i WHERE i.id = r.intent_id AND i.settled_at IS NOT NULL))
        AND NOT is_report_closed(report_subject(r.provider, r.receipt, r.intent_id))
$$;

-- Pay Bill payments that were reported in this time, are older than ten minutes and in no journal, once a receipt; without
-- those that two operators have closed. They are unsigned: anyone who knows the secret path can invent them.
CREATE FUNCTION unposted_pay_bill_reports(p_within INTERVAL)
RETURNS TABLE (receipt TEXT, checkout_id TEXT, minor BIGINT, reported_at TIMESTAMPTZ) LANGUAGE sql STABLE AS $$
    SELECT DISTINCT ON (r.receipt) r.receipt, r.checkout_id, r.minor, r.reported_at FROM pay_bill_reports r
    WHERE r.reported_at BETWEEN clock_timestamp() - p_within AND clock_timestamp() - interval '10 minutes'
        AND NOT is_posted(r) AND NOT is_report_closed('mpesa:' || r.receipt)
    ORDER BY r.receipt, r.checkout_id IS NULL, r.reported_at
$$;

-- What was reported as paid and is in no journal: at most so many of each kind, and how many there are of it. Unsigned ones
-- are listed only if they name the number of a checkout, three of a checkout at most; those with its amount come first,
-- then the largest. So a flood of inventions hides neither the signed nor the likely ones.
CREATE FUNCTION list_reports(p_limit INT)
RETURNS TABLE (
    subject TEXT, is_signed BOOLEAN, intent_id TEXT, checkout_id TEXT, minor BIGINT, reported_at TIMESTAMPTZ,
    closing_id TEXT, total INT
)
LANGUAGE sql STABLE AS $$
    WITH signed AS (
        SELECT report_subject(u.provider, u.receipt, u.intent_id) AS subject, true AS is_signed, u.intent_id,
            i.checkout_id, u.minor, u.reported_at, (count(*) OVER ())::int AS total,
            row_number() OVER (ORDER BY u.reported_at, u.intent_id) AS place
        FROM unposted_reports() u JOIN intents i ON i.id = u.intent_id
        ORDER BY place LIMIT p_limit
    ), unsigned AS (
        SELECT 'mpesa:' || u.receipt AS subject, u.checkout_id, u.minor, u.reported_at, (count(*) OVER ())::int AS total,
            u.minor IN (c.amount_minor, asked_of(c.amount_minor, true)) AS is_exact
        FROM unposted_pay_bill_reports(interval '7 days') u JOIN checkouts c ON c.id = u.checkout_id
    ), ranked AS (
        SELECT u.*, row_number() OVER (PARTITION BY checkout_id ORDER BY is_exact DESC, reported_at) AS of_checkout
        FROM unsigned u
    ), listed AS (
        SELECT * FROM signed
        UNION ALL (
            SELECT subject, false, NULL, checkout_id, minor, reported_at, total,
                row_number() OVER (ORDER BY is_exact DESC, minor DESC, reported_at) AS place
            FROM ranked WHERE of_checkout <= 3 ORDER BY place LIMIT p_limit
        )
    )
    SELECT l.subject, l.is_signed, l.intent_id, l.checkout_id, l.minor, l.reported_at, c.id, l.total
    FROM listed l LEFT JOIN report_closings c ON c.subject = l.subject AND c.status = 'asked'
    ORDER BY l.is_signed DESC, l.place
$$;

CREATE FUNCTION ask_report_closing(p_closing_id TEXT, p_subject TEXT, p_operator TEXT, p_note TEXT)
RETURNS TEXT LANGUAGE plpgsql AS $$
BEGIN
    IF is_report_closed(p_subject) THEN
        RETURN 'report_closed';
    ELSIF is_report_posted(p_subject) THEN
        RETURN 'report_posted';
    ELSIF NOT EXISTS (
        SELECT FROM unposted_reports() u WHERE report_subject(u.provider, u.receipt, u.intent_id) = p_subject
    ) AND NOT EXISTS (
        SELECT FROM unposted_pay_bill_reports(interval '7 days') u WHERE 'mpesa:' || u.receipt = p_subject
    ) THEN
        RETURN 'report_not_found';
    END IF;
    INSERT INTO report_closings (id, subject, status, asked_by, asked_at)
    VALUES (p_closing_id, p_subject, 'asked', p_operator, clock_timestamp())
    ON CONFLICT (subject) WHERE status IN ('asked', 'closed') DO NOTHING;
    IF NOT FOUND THEN
        RETURN 'closing_underway';
    END IF;
    PERFORM note_action(p_operator, 'report_closing_asked', p_subject, p_note);
    RETURN 'asked';
END $$;

CREATE FUNCTION decide_report_closing(p_closing_id TEXT, p_is_agreed BOOLEAN, p_operator TEXT, p_note TEXT)
RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_closing report_closings;
    v_status TEXT := CASE WHEN p_is_agreed THEN 'closed' ELSE 'withdrawn' END;
BEGIN
    SELECT * INTO v_closing FROM report_closings WHERE id = p_closing_id FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN 'closing_not_found';
    ELSIF v_closing.status <> 'asked' THEN
        RETURN 'closing_decided';
    ELSIF p_is_agreed AND NOT are_two_operators(v_closing.asked_by, p_operator) THEN
        RETURN 'needs_another';
    ELSIF p_is_agreed AND is_report_posted(v_closing.subject) THEN
        -- The money has come meanwhile: it was no false report.
        RETURN 'report_posted';
    END IF;
    UPDATE report_closings SET status = v_status, decided_by = p_operator, decided_at = clock_timestamp()
    WHERE id = p_closing_id;
    PERFORM note_action(
        p_operator, CASE WHEN p_is_agreed THEN 'report_closed' ELSE 'report_closing_withdrawn' END,
        v_closing.subject, p_note
    );
    RETURN v_status;
END $$;
