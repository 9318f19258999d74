CREATE OR REPLACE TRIGGER report_postings_never_go BEFORE DELETE OR TRUNCATE ON report_postings
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is never removed');
