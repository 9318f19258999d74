CREATE OR REPLACE TRIGGER report_closings_stay_as_asked
    BEFORE UPDATE OF id, subject, asked_by, asked_at
    ON report_closings
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is what was agreed to');
