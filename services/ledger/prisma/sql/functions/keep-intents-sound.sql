-- Refuses an intent whose columns do not fit its status or whose settled money would change, and records each step.
-- src/intents/rules/intent.ts decides which step may follow which, and the audit compares every step with that table.
-- These are no CHECKs, because PostgreSQL prepares each CHECK of a table anew for each statement.
CREATE OR REPLACE FUNCTION keep_intents_sound() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT (CASE
        WHEN NEW.status IN ('completed', 'reversed')
        THEN num_nulls(NEW.ended_at, NEW.settled_minor, NEW.receipt, NEW.settled_at, NEW.disposition) = 0
            AND num_nonnulls(NEW.deadline_at, NEW.cause) = 0
        WHEN NEW.status IN ('failed', 'expired')
        THEN num_nulls(NEW.ended_at, NEW.cause) = 0
            AND num_nonnulls(NEW.deadline_at, NEW.settled_minor, NEW.receipt, NEW.settled_at, NEW.disposition) = 0
        WHEN NEW.status IN ('created', 'reserved', 'submitted', 'pending')
        THEN NEW.deadline_at IS NOT NULL
            AND num_nonnulls(NEW.ended_at, NEW.cause, NEW.settled_minor, NEW.receipt, NEW.settled_at) = 0
            -- From version 2 on: an intent that was never sent cannot be with a provider.
            AND (NEW.submitted_at IS NOT NULL OR NEW.status NOT IN ('submitted', 'pending'))
        ELSE false
    END) THEN
        RAISE EXCEPTION 'the columns of the intent % do not go with %', NEW.id, NEW.status
            USING ERRCODE = 'check_violation', CONSTRAINT = 'intents_fit_their_status';
    END IF;
    -- A completed checkout stays completed by the same attempt: the merchant may have fulfilled. Reversed is final.
    IF OLD.settled_at IS NOT NULL AND ((OLD.settled_at, OLD.receipt, OLD.settled_minor)
            IS DISTINCT FROM (NEW.settled_at, NEW.receipt, NEW.settled_minor)
        OR (OLD.disposition = 'merchant' AND NEW.disposition <> 'merchant')
        OR (OLD.status = 'reversed' AND NEW.status <> 'reversed')) THEN
        RAISE EXCEPTION 'the intent % is settled', NEW.id
            USING ERRCODE = 'restrict_violation', CONSTRAINT = 'intents_stay_settled';
    END IF;
    IF TG_OP = 'INSERT' AND NEW.event = 'reserved' THEN
        -- An attempt is accepted and reserved in the same moment, which is two steps.
        INSERT INTO intent_steps (intent_id, from_status, event, to_status, at)
        VALUES (NEW.id, 'none', 'accepted', 'created', clock_timestamp()),
            (NEW.id, 'created', NEW.event, NEW.status, clock_timestamp());
    ELSIF OLD.status IS DISTINCT FROM NEW.status THEN
        INSERT INTO intent_steps (intent_id, from_status, event, to_status, at)
        VALUES (NEW.id, coalesce(OLD.status, 'none'), NEW.event, NEW.status, clock_timestamp());
    END IF;
    RETURN NEW;
END $$;
