-- What nobody may do, its owner included. Each promise has a test that tries to break it.

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: %', TG_OP, TG_TABLE_NAME, TG_ARGV[0] USING ERRCODE = 'restrict_violation';
END $$;

DO $$
DECLARE
    v_table TEXT;
BEGIN
    -- What was agreed and what happened is only ever added to.
    FOREACH v_table IN ARRAY ARRAY[
        'deployment', 'accounts', 'checkouts', 'transfers', 'suspense_items', 'intent_steps', 'idempotency_keys'
    ] LOOP
        EXECUTE format('CREATE TRIGGER %1$s_never_change BEFORE UPDATE OR DELETE OR TRUNCATE ON %1$s
            EXECUTE FUNCTION refuse_change(''it is only ever added to'')', v_table);
    END LOOP;
    FOREACH v_table IN ARRAY ARRAY['wallets', 'intents', 'wire_attempts', 'provider_messages'] LOOP
        EXECUTE format('CREATE TRIGGER %1$s_never_go BEFORE DELETE OR TRUNCATE ON %1$s
            EXECUTE FUNCTION refuse_change(''it is never removed'')', v_table);
    END LOOP;
END $$;

-- These fire only for a statement that names one of the columns.
CREATE TRIGGER wallets_keep_their_owner BEFORE UPDATE OF account_id, opened_at ON wallets
    EXECUTE FUNCTION refuse_change('a wallet has one owner');
CREATE TRIGGER intents_stay_as_asked
    BEFORE UPDATE OF id, checkout_id, rail, phone, amount_minor, created_at, callback_secret, attempt_reference
    ON intents EXECUTE FUNCTION refuse_change('it is what the payer was asked for');
CREATE TRIGGER provider_messages_stay_as_received
    BEFORE UPDATE OF id, intent_id, rail, kind, body, digest, source_address, source_known, received_at
    ON provider_messages EXECUTE FUNCTION refuse_change('it is kept as received');

-- How an intent begins.
CREATE FUNCTION keep_births_sound() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    v_broken TEXT := CASE
        WHEN NEW.id !~ '^pi_[0-9a-f]{24}$' THEN 'id'
        WHEN NEW.rail NOT IN ('mpesa', 'mtn_momo', 'airtel_money', 'card', 'paybill') THEN 'rail'
        WHEN NEW.amount_minor <= 0 THEN 'amount_minor'
        WHEN char_length(NEW.phone) NOT BETWEEN 1 AND 64 THEN 'phone'
        WHEN (NEW.callback_secret IS NULL) <> (NEW.attempt_reference IS NULL) THEN 'callback_secret'
        -- M-Pesa may report the same payment as a Pay Bill payment, and then `CS` and 8 digits are a checkout.
        WHEN NEW.attempt_reference !~ '^[A-Z0-9]{1,12}$' OR NEW.attempt_reference ~ '^CS[0-9]{8}$'
        THEN 'attempt_reference'
    END;
BEGIN
    IF v_broken IS NOT NULL THEN
        RAISE EXCEPTION 'an intent cannot begin with this %', v_broken
            USING ERRCODE = 'check_violation', COLUMN = v_broken;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER intents_begin_soundly BEFORE INSERT ON intents
    FOR EACH ROW EXECUTE FUNCTION keep_births_sound();

-- An intent moves by the rule `intent` or not at all, its columns go with its status, and every step is written down:
-- in flight until it ends, and with a deadline; failed or expired with a cause; with money, or with none of it.
CREATE FUNCTION keep_steps_sound() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE TRIGGER intents_move_by_the_rule
    BEFORE INSERT OR UPDATE OF status, ended_at, deadline_at, cause, settled_minor, receipt, settled_at, disposition
    ON intents FOR EACH ROW EXECUTE FUNCTION keep_steps_sound();

-- A message that was applied stays applied, with what came of it.
CREATE FUNCTION keep_results() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.result IS NOT NULL THEN
        RAISE EXCEPTION 'the provider message % was applied', OLD.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER provider_messages_are_applied_once BEFORE UPDATE OF fact, strength, result, receipt, applied_at
    ON provider_messages FOR EACH ROW EXECUTE FUNCTION keep_results();
