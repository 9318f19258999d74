-- Withdraws what an operator asked for and no other has agreed to: two who are enrolled decide, and this one is about to be
-- retired.
CREATE OR REPLACE FUNCTION withdraw_asked(p_asker TEXT, p_operator TEXT) RETURNS VOID LANGUAGE sql AS $$
    WITH placement AS (
        UPDATE placements SET status = 'withdrawn', decided_by = p_operator, decided_at = clock_timestamp()
        WHERE asked_by = p_asker AND status = 'asked' RETURNING subject
    ), freezing AS (
        UPDATE freezings SET status = 'withdrawn', decided_by = p_operator, decided_at = clock_timestamp()
        WHERE asked_by = p_asker AND status = 'asked' RETURNING account_id
    ), report AS (
        UPDATE report_closings SET status = 'withdrawn', decided_by = p_operator, decided_at = clock_timestamp()
        WHERE asked_by = p_asker AND status = 'asked' RETURNING subject
    ), refund AS (
        UPDATE refunds SET status = 'withdrawn', decided_by = p_operator, decided_at = clock_timestamp(),
            ended_at = clock_timestamp(), next_action_at = NULL
        WHERE asked_by = p_asker AND status = 'asked' RETURNING provider || ':' || receipt AS subject
    ), closing AS (
        UPDATE refunds SET closing = NULL, closing_asked_by = NULL
        WHERE closing_asked_by = p_asker AND closed_by IS NULL RETURNING provider || ':' || receipt AS subject
    ), enrollment AS (
        DELETE FROM operators WHERE asked_by = p_asker AND enrolled_at IS NULL RETURNING id
    ), retirement AS (
        UPDATE operators SET retirement_asked_by = NULL
        WHERE retirement_asked_by = p_asker AND id <> p_asker AND retired_at IS NULL RETURNING id
    ), withdrawn (did, subject) AS (
        SELECT 'placement_withdrawn', subject FROM placement
        UNION ALL SELECT 'freezing_withdrawn', account_id FROM freezing
        UNION ALL SELECT 'report_closing_withdrawn', subject FROM report
        UNION ALL SELECT 'refund_withdrawn', subject FROM refund
        UNION ALL SELECT 'closing_withdrawn', subject FROM closing
        UNION ALL SELECT 'enrollment_withdrawn', id FROM enrollment
        UNION ALL SELECT 'retirement_withdrawn', id FROM retirement
    )
    SELECT note_action(p_operator, did, subject, 'the operator who asked is retired') FROM withdrawn
$$;
