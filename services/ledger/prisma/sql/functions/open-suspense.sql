-- The money in suspense: items that came in or were frozen there, and were neither placed nor refunded.
-- The flag finds them, and the journal decides: one closed just before the trigger that marks it was made has no flag.
CREATE OR REPLACE FUNCTION open_suspense()
RETURNS TABLE (subject TEXT, reason TEXT, intent_id TEXT, minor BIGINT, opened_at TIMESTAMPTZ) LANGUAGE sql STABLE AS $$
    SELECT subject_of(s.event_key), s.reason, s.intent_id, s.minor, s.opened_at FROM suspense_items s
    WHERE NOT s.is_closed AND NOT EXISTS (
        SELECT FROM transfers t
        WHERE t.event_key IN ('placed:' || subject_of(s.event_key), 'refunded:' || subject_of(s.event_key))
            AND t.debit = 'suspense:' || s.reason
    )
$$;
