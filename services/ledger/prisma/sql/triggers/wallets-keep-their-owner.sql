CREATE OR REPLACE TRIGGER wallets_keep_their_owner BEFORE UPDATE OF account_id, opened_at ON wallets
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('a wallet has one owner');
