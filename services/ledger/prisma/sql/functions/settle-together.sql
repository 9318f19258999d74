-- Each of `p_items` is {place, message_id, receipt, amount_minor, paid_at, provider_request_id}, and says "it was paid".
-- Answers a row for each that was settled, and for each that was applied before.
--
-- It waits for no lock of a checkout or an intent, so it cannot be part of a deadlock over them: what somebody else holds
-- is left out. Receipts are posted in their order.
CREATE OR REPLACE FUNCTION settle_together(p_items JSONB, p_unconfirmed_max_minor BIGINT DEFAULT 0)
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
        SELECT t.*, i.rail, i.status AS status_before, c.account_id, i.checkout_id, i.asked_minor, i.receipt_wanted,
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
            AND (kind <> 'callback' OR callback_receipt(minor, p_unconfirmed_max_minor, receipt_wanted) = 'settle')
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
