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
CREATE TRIGGER pay_bill_reports_never_change BEFORE UPDATE OR DELETE OR TRUNCATE ON pay_bill_reports
    EXECUTE FUNCTION refuse_change('it is only ever added to');

CREATE FUNCTION is_posted(p_report pay_bill_reports) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM transfers t WHERE t.event_key = 'receipt:mpesa:' || (p_report).receipt)
$$;

-- As before; money that is only reported is listed, and keeps its checkout open for `p_hold_seconds`.
DROP FUNCTION apply_pay_bill(
    TEXT, TEXT, TEXT, BIGINT, TIMESTAMPTZ, TEXT, TEXT, TEXT, TEXT, BOOLEAN, BOOLEAN, BOOLEAN, TEXT
);
CREATE FUNCTION apply_pay_bill(
    p_message_id TEXT,
    p_fact TEXT,
    p_receipt TEXT,
    p_amount_minor BIGINT,
    p_paid_at TIMESTAMPTZ,
    p_account TEXT,
    p_payee_account_id TEXT,
    p_payee_handle TEXT,
    p_phone TEXT,
    p_is_within_limits BOOLEAN,
    p_is_sealed BOOLEAN,
    p_whole_majors_only BOOLEAN,
    p_hold_seconds DOUBLE PRECISION,
    p_new_intent_id TEXT
)
RETURNS TABLE (
    result TEXT, status TEXT, status_before TEXT, kind TEXT, strength TEXT, disposition TEXT
)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_message RECORD;
    v_checkout checkouts;
    v_asked_minor BIGINT;
    v_attempt RECORD;
    v_wallet wallets;
    v_strength TEXT;
    v_effect TEXT;
    -- Of money that nobody can be found for.
    v_disposition TEXT := 'suspense_unmatched';
    v_result TEXT := 'kept';
    v_is_posted BOOLEAN;
BEGIN
    -- Locks in the one order: the checkout, then the intent.
    SELECT * INTO v_checkout FROM checkouts c WHERE c.id = coalesce(
        (SELECT checkout_id FROM intents i WHERE i.attempt_reference = p_account),
        (SELECT checkout_id FROM pay_bill_numbers n WHERE n.number = p_account)
    ) FOR NO KEY UPDATE;
    SELECT i.id, i.status, i.rail, i.account_id, i.handle, i.amount_minor, i.asked_minor, i.settled_at
    INTO v_attempt FROM intents i
    WHERE i.attempt_reference = p_account FOR NO KEY UPDATE;
    SELECT m.kind, m.source_known, m.result, m.strength INTO v_message
    FROM provider_messages m WHERE m.id = p_message_id AND m.rail = 'paybill' FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    IF v_message.result IS NOT NULL THEN
        RETURN QUERY SELECT v_message.result, v_attempt.status, v_attempt.status, v_message.kind,
            v_message.strength, NULL;
        RETURN;
    END IF;

    v_strength := decide(
        'strength', v_message.kind,
        CASE WHEN v_message.source_known THEN 'right' ELSE 'wrong' END,
        CASE WHEN p_is_sealed THEN 'right' ELSE 'wrong' END,
        -- Nobody was asked for this money, so no amount of it contradicts what we know.
        'right'
    );
    v_effect := decide('effect', v_strength, p_fact);
    -- A number of ours is never anybody's handle, so the handle is the last that the account number can mean. A handle
    -- without a wallet here is nobody's: its money is in another country.
    SELECT * INTO v_wallet FROM wallets w
    WHERE w.account_id = coalesce(v_checkout.account_id, v_attempt.account_id, p_payee_account_id);
    v_asked_minor := CASE WHEN v_attempt.id IS NOT NULL THEN v_attempt.asked_minor
        ELSE asked_of(v_checkout.amount_minor, p_whole_majors_only) END;
    IF v_effect = 'settle' THEN
        IF v_wallet.account_id IS NOT NULL THEN
            v_disposition := decide(
                'disposition',
                CASE WHEN v_attempt.account_id IS NOT NULL AND v_attempt.settled_at IS NOT NULL OR EXISTS (
                    SELECT FROM intents paid
                    WHERE paid.checkout_id = v_checkout.id AND paid.disposition = 'merchant'
                ) THEN 'paid' ELSE 'unpaid' END,
                CASE WHEN CASE
                    WHEN v_asked_minor IS NOT NULL THEN p_amount_minor = v_asked_minor
                    ELSE p_is_within_limits
                END THEN 'exact' ELSE 'differs' END,
                CASE WHEN v_wallet.frozen_at IS NULL THEN 'open' ELSE 'frozen' END
            );
        END IF;
        -- A prompt's payment that is told as this one belongs to its attempt. One that was never sent took no money, so
        -- somebody has typed its reference.
        IF v_attempt.id IS NOT NULL AND decide('intent', v_attempt.status, 'confirmed') <> 'conflict' THEN
            v_is_posted := settle(
                v_attempt.id, p_new_intent_id, v_wallet.account_id, v_attempt.rail,
                p_receipt, p_amount_minor, p_paid_at, v_disposition
            );
        ELSE
            v_is_posted := settle_pay_bill(
                p_new_intent_id, v_wallet.account_id, v_checkout.id,
                CASE WHEN v_checkout.id IS NULL THEN coalesce(v_attempt.handle, p_payee_handle) END,
                coalesce(v_checkout.amount_minor, v_attempt.amount_minor), v_asked_minor,
                p_phone, p_receipt, p_amount_minor, p_paid_at, v_disposition
            );
        END IF;
        v_result := CASE WHEN v_is_posted THEN 'settled' ELSE 'already_settled' END;
    ELSIF v_effect = 'park' THEN
        v_result := 'parked';
    ELSIF v_effect = 'ask' AND p_fact = 'receipt' THEN
        INSERT INTO pay_bill_reports (message_id, receipt, checkout_id, minor, reported_at, held_until)
        VALUES (
            p_message_id, p_receipt, v_checkout.id, p_amount_minor, clock_timestamp(),
            clock_timestamp() + make_interval(secs => p_hold_seconds)
        );
    END IF;
    -- What is weaker is kept: the provider's statement will say whether the money is there.

    UPDATE provider_messages SET
        fact = p_fact, strength = v_strength, result = v_result,
        receipt = CASE WHEN v_effect = 'settle' THEN p_receipt END,
        applied_at = clock_timestamp(), next_action_at = NULL
    WHERE id = p_message_id;
    RETURN QUERY SELECT v_result,
        CASE WHEN v_result = 'settled' AND v_wallet.account_id IS NOT NULL THEN 'completed' ELSE v_attempt.status END,
        v_attempt.status, v_message.kind, v_strength, CASE v_result WHEN 'settled' THEN v_disposition END;
END $$;

-- As before; says whether the payment was reported by the Pay Bill menu and is not confirmed.
CREATE OR REPLACE VIEW checkout_views AS
SELECT
    c.id AS checkout_id,
    c.account_id,
    c.amount_minor,
    c.reference,
    c.description,
    c.return_url,
    c.phone,
    c.created_at,
    c.expires_at,
    settled.settled_at AS completed_at,
    clock_timestamp() >= c.expires_at AS is_time_up,
    w.frozen_at IS NULL AS is_wallet_open,
    w.card_enabled,
    flight.id AS flight_intent_id,
    settled.id AS settled_intent_id,
    settled.status AS settled_status,
    settled.phone AS settled_phone,
    settled.settled_minor,
    settled.receipt AS settled_receipt,
    newest.id AS newest_intent_id,
    newest.status AS newest_status,
    newest.rail AS newest_rail,
    newest.phone AS newest_phone,
    newest.cause AS newest_cause,
    newest.created_at AS newest_created_at,
    newest.settled_minor AS newest_settled_minor,
    newest.receipt AS newest_receipt,
    (SELECT count(*)::int FROM intents f WHERE f.checkout_id = c.id AND f.status IN ('failed', 'expired'))
        AS failed_attempts,
    number.number AS pay_bill_number,
    settled.rail AS settled_rail,
    settled.created_at AS settled_created_at,
    EXISTS (
        SELECT FROM intents u WHERE u.checkout_id = c.id
        AND (u.cause = 'unconfirmed' OR u.status = 'completed' AND u.disposition LIKE 'suspense\_%'
            OR u.reported_at IS NOT NULL AND u.settled_at IS NULL AND u.ended_at IS NOT NULL)
    )
        OR reported.at IS NOT NULL AS may_have_paid,
    CASE WHEN newest.settled_at IS NULL THEN newest.reported_at END AS newest_reported_at,
    reported.at AS pay_bill_reported_at,
    coalesce(clock_timestamp() < reported.held_until, false) AS is_report_held
FROM checkouts c
JOIN wallets w ON w.account_id = c.account_id
LEFT JOIN intents flight ON flight.checkout_id = c.id AND flight.ended_at IS NULL
LEFT JOIN intents settled ON settled.checkout_id = c.id AND settled.disposition = 'merchant'
LEFT JOIN LATERAL (
    SELECT * FROM intents i WHERE i.checkout_id = c.id ORDER BY i.created_at DESC LIMIT 1
) newest ON true
LEFT JOIN pay_bill_numbers number ON number.checkout_id = c.id
LEFT JOIN LATERAL (
    -- The first of them: another forged one does not hold the checkout longer.
    SELECT min(r.reported_at) AS at, min(r.held_until) AS held_until FROM pay_bill_reports r
    WHERE r.checkout_id = c.id AND NOT is_posted(r)
) reported ON true;
