-- Moves money that came in, under a key of its own. A wallet gives what it has, and its owner owes the rest.
CREATE OR REPLACE FUNCTION move_money(p_event_key TEXT, p_from TEXT, p_to TEXT, p_minor BIGINT) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
    v_now TIMESTAMPTZ := clock_timestamp();
    v_has BIGINT := p_minor;
    v_owes TEXT := replace(p_from, 'wallet:', 'receivable:');
BEGIN
    IF p_from LIKE 'wallet:%' THEN
        -- Two who take from one wallet must not both find the same money in it.
        PERFORM FROM wallets WHERE account_id = substr(p_from, 8) FOR NO KEY UPDATE;
        v_has := greatest(least(p_minor, balance_of(p_from)), 0);
    END IF;
    IF v_has < p_minor THEN
        INSERT INTO accounts (id, currency) SELECT v_owes, currency FROM deployment ON CONFLICT (id) DO NOTHING;
    END IF;
    INSERT INTO transfers (event_key, leg, debit, credit, currency, minor, event_at, created_at)
    SELECT p_event_key, row_number() OVER (ORDER BY place) - 1, debit, p_to, currency, minor, v_now, v_now
    FROM (VALUES (0, p_from, v_has), (1, v_owes, p_minor - v_has)) legs (place, debit, minor), deployment
    WHERE minor > 0;
END $$;
