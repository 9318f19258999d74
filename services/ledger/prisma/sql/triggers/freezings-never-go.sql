CREATE OR REPLACE TRIGGER freezings_never_go BEFORE DELETE OR TRUNCATE ON freezings
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is never removed');
