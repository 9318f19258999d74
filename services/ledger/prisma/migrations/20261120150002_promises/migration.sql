-- What nobody may do, its owner included. Each promise has a test that tries to break it.

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: %', TG_OP, TG_TABLE_NAME, TG_ARGV[0] USING ERRCODE = 'restrict_violation';
END $$;

-- History is only ever added to.
DO $$
DECLARE
    v_table TEXT;
BEGIN
    FOREACH v_table IN ARRAY ARRAY[
        'deployment', 'rules', 'accounts', 'transfers', 'suspense_items', 'intent_steps', 'idempotency_keys'
    ] LOOP
        EXECUTE format('CREATE TRIGGER %1$s_are_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON %1$s
            EXECUTE FUNCTION refuse_change(''it is only ever added to'')', v_table);
    END LOOP;

    FOREACH v_table IN ARRAY ARRAY['wallets', 'checkouts', 'intents', 'wire_attempts', 'provider_messages'] LOOP
        EXECUTE format('CREATE TRIGGER %1$s_are_never_removed BEFORE DELETE OR TRUNCATE ON %1$s
            EXECUTE FUNCTION refuse_change(''it is never removed'')', v_table);
    END LOOP;
END $$;

-- What was agreed stays as agreed. These triggers fire only for a statement that names one of the columns.
CREATE TRIGGER checkouts_stay_as_agreed
    BEFORE UPDATE OF id, account_id, amount_minor, reference, description, return_url, phone, created_at, expires_at
    ON checkouts EXECUTE FUNCTION refuse_change('it was agreed with the merchant');
CREATE TRIGGER intents_stay_as_agreed
    BEFORE UPDATE OF id, checkout_id, rail, phone, amount_minor, created_at, callback_secret, attempt_reference
    ON intents EXECUTE FUNCTION refuse_change('it was agreed with the payer');
CREATE TRIGGER provider_messages_stay_as_received
    BEFORE UPDATE OF id, intent_id, rail, kind, body, digest, source_address, source_known, received_at
    ON provider_messages EXECUTE FUNCTION refuse_change('it is kept as received');
CREATE TRIGGER wallets_keep_their_owner BEFORE UPDATE OF account_id, opened_at
    ON wallets EXECUTE FUNCTION refuse_change('a wallet has one owner');

-- A completed checkout stays completed, by the same attempt: it may have been fulfilled.
CREATE FUNCTION refuse_reopening() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the completed checkout % is final', OLD.id USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER checkouts_complete_once BEFORE UPDATE OF completed_at, settled_intent_id ON checkouts
    FOR EACH ROW WHEN (OLD.completed_at IS NOT NULL) EXECUTE FUNCTION refuse_reopening();

-- Looks up a cell of a decision table. A cell that is not there stops the transaction: we do not guess about money.
CREATE FUNCTION decide(p_rule TEXT, VARIADIC p_given TEXT[]) RETURNS TEXT LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_given TEXT := array_to_string(p_given, ' ');
    v_outcome TEXT := (SELECT outcome FROM rules WHERE rule = p_rule AND given = v_given);
BEGIN
    IF v_outcome IS NULL THEN
        RAISE EXCEPTION 'the rule % says nothing about "%"', p_rule, v_given USING ERRCODE = 'data_exception';
    END IF;
    RETURN v_outcome;
END $$;

-- An intent moves by the rule `intent` or not at all, and every step is written down.
CREATE FUNCTION log_intent_step() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    v_from TEXT := CASE TG_OP WHEN 'INSERT' THEN 'none' ELSE OLD.status END;
BEGIN
    IF decide('intent', v_from, NEW.event) <> NEW.status THEN
        RAISE EXCEPTION 'an intent that is % does not become % by %', v_from, NEW.status, NEW.event
            USING ERRCODE = 'check_violation';
    END IF;
    INSERT INTO intent_steps (intent_id, from_status, event, to_status, at)
    VALUES (NEW.id, v_from, NEW.event, NEW.status, clock_timestamp());
    RETURN NULL;
END $$;
CREATE TRIGGER intents_are_born_by_the_rule AFTER INSERT ON intents
    FOR EACH ROW EXECUTE FUNCTION log_intent_step();
CREATE TRIGGER intents_move_by_the_rule AFTER UPDATE OF status ON intents
    FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION log_intent_step();
