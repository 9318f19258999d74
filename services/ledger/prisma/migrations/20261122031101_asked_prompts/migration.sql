-- What goes to a provider, and what its first, exact money is compared with.

-- As before; the prompt is for what is asked.
CREATE OR REPLACE FUNCTION begin_submit(
    p_intent_id TEXT,
    p_deadline_seconds DOUBLE PRECISION,
    p_query_after_seconds DOUBLE PRECISION,
    p_card_query_after_seconds DOUBLE PRECISION
)
RETURNS TABLE (
    rail TEXT, phone TEXT, amount_minor BIGINT, attempt_reference TEXT, callback_secret TEXT,
    checkout_id TEXT, fee_minor BIGINT, expires_at TIMESTAMPTZ, sealed_payer BYTEA
)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
BEGIN
    UPDATE intents i SET
        status = decide('intent', status, 'withheld'), event = 'withheld', cause = 'not_started',
        ended_at = v_now, deadline_at = NULL, next_action_at = NULL
    WHERE id = p_intent_id AND status = 'reserved'
        AND EXISTS (SELECT FROM intents paid WHERE paid.checkout_id = i.checkout_id AND paid.disposition = 'merchant');

    RETURN QUERY
    WITH asked AS (
        SELECT p_intent_id AS id, c.fee_minor, c.expires_at, c.sealed_payer,
            CASE WHEN c.intent_id IS NULL THEN v_now + make_interval(secs => p_deadline_seconds)
                ELSE c.expires_at + interval '30 seconds' END AS deadline_at,
            v_now + make_interval(secs => CASE WHEN c.intent_id IS NULL THEN p_query_after_seconds
                ELSE p_card_query_after_seconds END) AS query_at
        FROM (VALUES (p_intent_id)) given (id) LEFT JOIN card_sessions c ON c.intent_id = given.id
    ), taken AS (
        UPDATE intents i SET
            status = decide('intent', i.status, 'submitted'), event = 'submitted', submitted_at = v_now,
            deadline_at = asked.deadline_at, next_action_at = asked.query_at, query_at = asked.query_at
        FROM asked
        WHERE i.id = asked.id AND i.status = 'reserved' AND i.deadline_at > v_now
        RETURNING i.*
    ), logged AS (
        INSERT INTO wire_attempts (intent_id, rail, began_at) SELECT id, rail, v_now FROM taken
    )
    SELECT taken.rail, taken.phone, taken.asked_minor, taken.attempt_reference, taken.callback_secret,
        taken.checkout_id, asked.fee_minor, asked.expires_at, asked.sealed_payer
    FROM taken JOIN asked USING (id);
END $$;

-- As before; the question is about what was asked.
CREATE OR REPLACE FUNCTION begin_query(p_intent_id TEXT, p_query_every_seconds DOUBLE PRECISION)
RETURNS TABLE (
    rail TEXT, amount_minor BIGINT, attempt_reference TEXT, provider_request_id TEXT, submitted_at TIMESTAMPTZ,
    receipt_wanted BOOLEAN
)
LANGUAGE sql AS $$
    UPDATE intents i SET asked_at = clock_timestamp(), query_at = next.at, next_action_at = next.at
    FROM (
        SELECT id, CASE
            -- A failed attempt is asked about once, when something said that it was paid after all.
            WHEN status <> 'failed' OR receipt_wanted
            THEN next_query_at(submitted_at, ended_at IS NULL, receipt_wanted, p_query_every_seconds)
        END AS at
        FROM intents WHERE id = p_intent_id AND query_at <= clock_timestamp() FOR NO KEY UPDATE
    ) next
    WHERE i.id = next.id
    RETURNING i.rail, i.asked_minor, i.attempt_reference, i.provider_request_id, i.submitted_at, i.receipt_wanted
$$;

-- As before; an intent for a second receipt was asked for as much as the first.
CREATE OR REPLACE FUNCTION settle(
    p_intent_id TEXT,
    p_new_intent_id TEXT,
    p_account_id TEXT,
    p_rail TEXT,
    p_receipt TEXT,
    p_minor BIGINT,
    p_paid_at TIMESTAMPTZ,
    p_disposition TEXT
)
RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
    v_event_key TEXT := 'receipt:' || decide('provider', p_rail) || ':' || p_receipt;
    v_intent_id TEXT := p_intent_id;
    -- The merchant gets the amount and we the fee; what has to go back is held whole.
    v_fee BIGINT := CASE WHEN p_rail = 'card' AND p_disposition = 'merchant' THEN card_fee(p_intent_id) ELSE 0 END;
BEGIN
    INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
    SELECT v_event_key, 0, decide('debit', p_rail), replace(decide('credit', p_disposition), '*', p_account_id),
        currency, p_minor - v_fee, coalesce(p_paid_at, v_now), v_now
    FROM deployment
    ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    IF v_fee > 0 THEN
        INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
        SELECT v_event_key, 1, decide('debit', p_rail), 'fee:card', currency, v_fee, coalesce(p_paid_at, v_now), v_now
        FROM deployment;
    END IF;

    UPDATE intents SET
        status = decide('intent', status, 'confirmed'), event = 'confirmed',
        ended_at = v_now, deadline_at = NULL, next_action_at = NULL, query_at = NULL, receipt_wanted = false,
        cause = NULL, provider_code = NULL,
        settled_minor = p_minor - v_fee, receipt = p_receipt, settled_at = v_now, disposition = p_disposition
    WHERE id = p_intent_id AND settled_at IS NULL;
    IF NOT FOUND THEN
        -- A second receipt for one attempt: the money is real, so it gets an intent of its own.
        v_intent_id := p_new_intent_id;
        INSERT INTO intents (
            id, checkout_id, account_id, handle, rail, phone, amount_minor, asked_minor,
            status, event, created_at, ended_at,
            settled_minor, receipt, settled_at, disposition
        )
        SELECT v_intent_id, checkout_id, account_id, handle, rail, phone, amount_minor, asked_minor,
            decide('intent', 'none', 'matched'), 'matched', v_now, v_now, p_minor - v_fee, p_receipt, v_now, p_disposition
        FROM intents WHERE id = p_intent_id;
    END IF;

    IF p_disposition <> 'merchant' THEN
        INSERT INTO suspense_items (event_key, leg, reason, intent_id, minor, opened_at)
        VALUES (v_event_key, 0, replace(p_disposition, 'suspense_', ''), v_intent_id, p_minor, v_now);
    END IF;
    RETURN true;
END $$;

-- As before, and likewise.
CREATE OR REPLACE FUNCTION settle_together(p_items JSONB)
RETURNS TABLE (
    place INTEGER, result TEXT, status TEXT, status_before TEXT, kind TEXT, strength TEXT, disposition TEXT
)
LANGUAGE plpgsql
-- It looks for single rows by their keys. A plan that was made while the tables were small must not read them whole.
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
    v_intent_ids TEXT[];
    v_now TIMESTAMPTZ;
BEGIN
    SELECT array_agg(id) INTO v_intent_ids FROM (
        SELECT i.id FROM jsonb_to_recordset(p_items) item (message_id TEXT)
        JOIN provider_messages m ON m.id = item.message_id AND m.result IS NULL
        JOIN intents i ON i.id = m.intent_id AND i.rail <> 'card'
        JOIN checkouts c ON c.id = i.checkout_id
        FOR NO KEY UPDATE OF c, i SKIP LOCKED
    ) locked;
    -- Whoever applied one of these messages or settled one of these checkouts before us has committed by now.
    v_now := clock_timestamp();
    RETURN QUERY
    WITH items AS MATERIALIZED (
        SELECT item.*, m.kind, m.intent_id, m.source_known, m.result, m.strength FROM jsonb_to_recordset(p_items) item (
            place INTEGER, message_id TEXT, receipt TEXT, amount_minor BIGINT, paid_at TIMESTAMPTZ,
            provider_request_id TEXT
        ) JOIN provider_messages m ON m.id = item.message_id
    ), asked AS MATERIALIZED (
        SELECT t.*, i.rail, i.status AS status_before, c.account_id, i.checkout_id, i.asked_minor,
            -- An answer to our own question that names no amount is about the amount that we asked for.
            coalesce(t.amount_minor, CASE t.kind WHEN 'query_answer' THEN i.asked_minor END) AS minor,
            'receipt:' || decide('provider', i.rail) || ':' || t.receipt AS event_key,
            i.provider_request_id AS asked_request_id,
            CASE WHEN w.frozen_at IS NULL THEN 'open' ELSE 'frozen' END AS wallet,
            CASE WHEN i.settled_at IS NOT NULL OR EXISTS (
                SELECT FROM intents paid WHERE paid.checkout_id = i.checkout_id AND paid.disposition = 'merchant'
            ) THEN 'paid' ELSE 'unpaid' END AS checkout
        FROM items t
        JOIN intents i ON i.id = t.intent_id
        JOIN checkouts c ON c.id = i.checkout_id
        JOIN wallets w ON w.account_id = c.account_id
        WHERE t.result IS NULL AND i.id = ANY (v_intent_ids)
    ), weighed AS (
        SELECT a.*,
            -- In step with apply_evidence.
            decide(
                'strength', kind, CASE WHEN source_known THEN 'right' ELSE 'wrong' END,
                CASE
                    WHEN asked_request_id IS NULL OR provider_request_id = asked_request_id
                        OR (provider_request_id IS NULL AND kind <> 'callback')
                    THEN 'right' ELSE 'wrong'
                END,
                CASE WHEN minor = asked_minor THEN 'right' ELSE 'wrong' END
            ) AS weight,
            count(*) OVER (PARTITION BY checkout_id) + count(*) OVER (PARTITION BY event_key) AS claims
        FROM asked a
    ), ordinary AS MATERIALIZED (
        SELECT * FROM weighed
        WHERE claims = 2 AND minor = asked_minor AND decide('effect', weight, 'receipt') = 'settle'
            AND decide('disposition', checkout, 'exact', wallet) = 'merchant'
            AND decide('intent', status_before, 'confirmed') = 'completed'
    ), posted AS (
        INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
        SELECT event_key, 0, decide('debit', rail), replace(decide('credit', 'merchant'), '*', account_id),
            currency, minor, coalesce(paid_at, v_now), v_now
        FROM ordinary, deployment
        ORDER BY event_key
        ON CONFLICT DO NOTHING
        RETURNING event_key
    ), settled AS (
        UPDATE intents i SET
            status = 'completed', event = 'confirmed',
            ended_at = v_now, deadline_at = NULL, next_action_at = NULL, query_at = NULL, receipt_wanted = false,
            cause = NULL, provider_code = NULL,
            settled_minor = o.minor, receipt = o.receipt, settled_at = v_now, disposition = 'merchant'
        FROM ordinary o JOIN posted USING (event_key)
        WHERE i.id = o.intent_id
    ), applied AS (
        UPDATE provider_messages m SET
            fact = 'receipt', strength = o.weight, result = 'settled', receipt = o.receipt,
            applied_at = v_now, next_action_at = NULL
        FROM ordinary o JOIN posted USING (event_key)
        WHERE m.id = o.message_id
        RETURNING o.place, o.status_before, o.kind, o.weight
    )
    SELECT place, 'settled', 'completed', status_before, kind, weight, 'merchant' FROM applied
    UNION ALL
    SELECT t.place, t.result, i.status, i.status, t.kind, t.strength, NULL
    FROM items t JOIN intents i ON i.id = t.intent_id
    WHERE t.result IS NOT NULL;
END $$;
