-- Whether all that the provider reported of an unsettled intent was closed by two operators. An answer to our own query that
-- says "paid" outweighs a closing.
CREATE OR REPLACE FUNCTION is_found_unpaid(p_intent intents) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN (p_intent).reported_at IS NULL OR (p_intent).settled_at IS NOT NULL OR (p_intent).receipt_wanted THEN false
        ELSE (
            SELECT coalesce(bool_and(is_report_closed(report_subject(r.provider, r.receipt, r.intent_id))), false)
            FROM payment_reports r WHERE r.intent_id = (p_intent).id
        )
    END
$$;
