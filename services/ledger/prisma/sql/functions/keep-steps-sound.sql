-- An intent moves by the rule `intent` or not at all, its columns go with its status, and every step is written down:
-- in flight until it ends, and with a deadline; failed or expired with a cause; with money, or with none of it.
CREATE OR REPLACE FUNCTION keep_steps_sound() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    v_from TEXT := CASE TG_OP WHEN 'INSERT' THEN 'none' ELSE OLD.status END;
BEGIN
    IF NOT (CASE
        WHEN NEW.status IN ('completed', 'reversed')
        THEN num_nulls(NEW.ended_at, NEW.settled_minor, NEW.receipt, NEW.settled_at, NEW.disposition) = 0
            AND num_nonnulls(NEW.deadline_at, NEW.cause) = 0
        WHEN NEW.status IN ('failed', 'expired')
        THEN num_nulls(NEW.ended_at, NEW.cause) = 0
            AND num_nonnulls(NEW.deadline_at, NEW.settled_minor, NEW.receipt, NEW.settled_at, NEW.disposition) = 0
        ELSE NEW.deadline_at IS NOT NULL
            AND num_nonnulls(NEW.ended_at, NEW.cause, NEW.settled_minor, NEW.receipt, NEW.settled_at) = 0
    END) THEN
        RAISE EXCEPTION 'the columns of the intent % do not go with %', NEW.id, NEW.status
            USING ERRCODE = 'check_violation', CONSTRAINT = 'intents_fit_their_status';
    END IF;
    -- An attempt that is asked for is reserved in the same moment: its birth is a step before that one.
    IF TG_OP = 'INSERT' AND NEW.event = 'reserved' THEN
        v_from := decide('intent', 'none', 'accepted');
        INSERT INTO intent_steps (intent_id, from_status, event, to_status, at)
        VALUES (NEW.id, 'none', 'accepted', v_from, clock_timestamp());
    END IF;
    IF v_from <> NEW.status THEN
        IF decide('intent', v_from, NEW.event) <> NEW.status THEN
            RAISE EXCEPTION 'an intent that is % does not become % by %', v_from, NEW.status, NEW.event
                USING ERRCODE = 'check_violation', CONSTRAINT = 'intents_move_by_the_rule';
        END IF;
        INSERT INTO intent_steps (intent_id, from_status, event, to_status, at)
        VALUES (NEW.id, v_from, NEW.event, NEW.status, clock_timestamp());
    END IF;
    -- A completed checkout stays completed, by the same attempt: the merchant may have fulfilled.
    IF OLD.settled_at <> NEW.settled_at OR OLD.receipt <> NEW.receipt OR OLD.settled_minor <> NEW.settled_minor
        OR (OLD.disposition = 'merchant' AND NEW.disposition <> 'merchant') THEN
        RAISE EXCEPTION 'the intent % is settled', NEW.id
            USING ERRCODE = 'restrict_violation', CONSTRAINT = 'intents_stay_settled';
    END IF;
    RETURN NEW;
END $$;
