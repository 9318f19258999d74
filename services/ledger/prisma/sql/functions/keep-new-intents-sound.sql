-- Refuses a malformed new intent. Its payer is asked for the amount, or for the next whole major unit.
CREATE OR REPLACE FUNCTION keep_new_intents_sound() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    v_broken TEXT := CASE
        WHEN NEW.id !~ '^pi_[0-9a-f]{24}$' THEN 'id'
        WHEN num_nonnulls(NEW.checkout_id, NEW.account_id) <> 1 THEN 'account_id'
        WHEN (NEW.account_id IS NULL) <> (NEW.handle IS NULL) THEN 'handle'
        WHEN NEW.rail NOT IN ('mpesa', 'mtn_momo', 'airtel_money', 'card', 'paybill') THEN 'rail'
        WHEN NEW.amount_minor <= 0 THEN 'amount_minor'
        WHEN NEW.asked_minor NOT IN (NEW.amount_minor, (NEW.amount_minor + 99) / 100 * 100) THEN 'asked_minor'
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
