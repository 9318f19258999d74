CREATE OR REPLACE FUNCTION ask_freezing(p_freezing_id TEXT, p_account_id TEXT, p_is_frozen BOOLEAN, p_operator TEXT, p_note TEXT)
RETURNS TEXT LANGUAGE plpgsql AS $$
DECLARE
    v_wallet wallets;
BEGIN
    SELECT * INTO v_wallet FROM wallets WHERE account_id = p_account_id;
    IF NOT FOUND THEN
        RETURN 'wallet_not_found';
    ELSIF (v_wallet.frozen_at IS NOT NULL) = p_is_frozen THEN
        RETURN 'nothing_to_do';
    END IF;
    INSERT INTO freezings (id, account_id, is_frozen, status, asked_by, asked_at)
    VALUES (p_freezing_id, p_account_id, p_is_frozen, 'asked', p_operator, clock_timestamp())
    ON CONFLICT (account_id) WHERE status = 'asked' DO NOTHING;
    IF NOT FOUND THEN
        RETURN 'freezing_underway';
    END IF;
    PERFORM note_action(p_operator, 'freezing_asked', p_account_id, p_note);
    RETURN 'asked';
END $$;
