CREATE OR REPLACE TRIGGER operators_never_change
    BEFORE UPDATE OF id, name, subject, public_key, founder, asked_by, asked_at OR TRUNCATE
    ON operators
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is what was enrolled');
