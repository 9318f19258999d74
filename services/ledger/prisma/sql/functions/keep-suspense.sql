-- Refuses an item that says "closed" when the journal has no transfer that took its money away, or "open" when it has one.
CREATE OR REPLACE FUNCTION keep_suspense() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.is_closed IS DISTINCT FROM EXISTS (
        SELECT FROM transfers t
        WHERE t.event_key IN ('placed:' || subject_of(NEW.event_key), 'refunded:' || subject_of(NEW.event_key))
            AND t.debit = 'suspense:' || NEW.reason
    ) THEN
        RAISE EXCEPTION 'the suspense item % is not as the journal has it', NEW.event_key
            USING ERRCODE = 'restrict_violation', CONSTRAINT = 'suspense_items_close_as_posted';
    END IF;
    RETURN NEW;
END $$;
