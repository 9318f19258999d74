CREATE OR REPLACE TRIGGER wallets_never_go BEFORE DELETE OR TRUNCATE ON wallets
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is never removed');
