-- What the payer is told stays true: after two operators found that a reported payment was not made, it may be paid again; and
-- an intent that status answers alone have ended took no money as far as the provider says.

-- Whether all that the provider reported of an unsettled intent was closed by two operators. An answer to our own query that
-- says "paid" outweighs a closing.
CREATE FUNCTION is_found_unpaid(p_intent intents) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN (p_intent).reported_at IS NULL OR (p_intent).settled_at IS NOT NULL OR (p_intent).receipt_wanted THEN false
        ELSE (
            SELECT coalesce(bool_and(is_report_closed(report_subject(r.provider, r.receipt, r.intent_id))), false)
            FROM payment_reports r WHERE r.intent_id = (p_intent).id
        )
    END
$$;

-- Whether money of an intent is held for a person, or may still arrive unasked.
CREATE FUNCTION may_have_paid(p_intent intents) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN (p_intent).status = 'completed' THEN coalesce((p_intent).disposition LIKE 'suspense\_%', false)
        WHEN (p_intent).cause = 'unconfirmed' OR (p_intent).reported_at IS NOT NULL AND (p_intent).settled_at IS NULL
            AND (p_intent).ended_at IS NOT NULL
        THEN NOT is_found_unpaid(p_intent)
        ELSE false
    END
$$;

-- Whether only answers to our own queries say that a prompt was not paid. Such answers have been wrong about payments that
-- went through; a callback that the provider signs for by its address or bears out when it is asked has not.
CREATE FUNCTION is_denied_by_answers(p_intent intents) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN (p_intent).status <> 'failed' OR (p_intent).event <> 'declined' OR decide('asking', (p_intent).rail) <> 'prompt'
        THEN false
        ELSE NOT EXISTS (
            SELECT FROM provider_messages m
            WHERE m.intent_id = (p_intent).id AND m.digest IS NOT NULL AND m.fact = 'declined'
                AND (m.kind = 'hint' OR m.strength = 'E3')
        )
    END
$$;

-- As before; a report that two operators closed no longer says that the payer may have paid. Also says that it was closed,
-- and by which rail's status answers alone an intent of the checkout has ended.
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
    EXISTS (SELECT FROM intents u WHERE u.checkout_id = c.id AND may_have_paid(u)) OR reported.at IS NOT NULL
        AS may_have_paid,
    CASE WHEN newest.settled_at IS NULL AND NOT newest.is_found_unpaid THEN newest.reported_at END AS newest_reported_at,
    reported.at AS pay_bill_reported_at,
    coalesce(clock_timestamp() < reported.held_until, false) AS is_report_held,
    reported.is_closed OR EXISTS (SELECT FROM intents u WHERE u.checkout_id = c.id AND is_found_unpaid(u))
        AS is_found_unpaid,
    (SELECT d.rail FROM intents d WHERE d.checkout_id = c.id AND is_denied_by_answers(d)
        ORDER BY d.created_at DESC LIMIT 1) AS denied_rail
FROM checkouts c
JOIN wallets w ON w.account_id = c.account_id
LEFT JOIN intents flight ON flight.checkout_id = c.id AND flight.ended_at IS NULL
LEFT JOIN intents settled ON settled.checkout_id = c.id AND settled.disposition = 'merchant'
LEFT JOIN LATERAL (
    SELECT i.*, is_found_unpaid(i) AS is_found_unpaid FROM intents i
    WHERE i.checkout_id = c.id ORDER BY i.created_at DESC LIMIT 1
) newest ON true
LEFT JOIN pay_bill_numbers number ON number.checkout_id = c.id
LEFT JOIN LATERAL (
    -- The first of them: another forged one does not hold the checkout longer.
    SELECT min(r.reported_at) FILTER (WHERE NOT r.is_closed) AS at,
        min(r.held_until) FILTER (WHERE NOT r.is_closed) AS held_until, coalesce(bool_or(r.is_closed), false) AS is_closed
    FROM (
        SELECT r.*, is_report_closed('mpesa:' || r.receipt) AS is_closed FROM pay_bill_reports r
        WHERE r.checkout_id = c.id AND NOT is_posted(r)
    ) r
) reported ON true;
