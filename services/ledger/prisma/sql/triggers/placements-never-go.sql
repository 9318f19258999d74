CREATE OR REPLACE TRIGGER placements_never_go BEFORE DELETE OR TRUNCATE ON placements
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is never removed');
