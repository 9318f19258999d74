-- Marks the suspense item whose money a transfer takes away, whichever release posts it.
CREATE OR REPLACE FUNCTION close_suspense() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.debit LIKE 'suspense:%' AND NEW.event_key ~ '^(placed|refunded):' THEN
        UPDATE suspense_items SET is_closed = true
        WHERE event_key IN ('receipt:' || subject_of(NEW.event_key), 'frozen:' || subject_of(NEW.event_key))
            AND 'suspense:' || reason = NEW.debit AND NOT is_closed;
    END IF;
    RETURN NULL;
END $$;
