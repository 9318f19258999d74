CREATE OR REPLACE TRIGGER detached_months_stay_as_written
    BEFORE UPDATE OF month, until_at, steps, bodies, sha256, previous_sha256, written_by, note, written_at
    ON detached_months
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it says what its file is');
