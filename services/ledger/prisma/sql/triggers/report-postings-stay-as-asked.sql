CREATE OR REPLACE TRIGGER report_postings_stay_as_asked
    BEFORE UPDATE OF id, intent_id, receipt, minor, asked_by, asked_at
    ON report_postings
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is what was agreed to');
