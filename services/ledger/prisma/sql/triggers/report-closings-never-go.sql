CREATE OR REPLACE TRIGGER report_closings_never_go BEFORE DELETE OR TRUNCATE ON report_closings
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is never removed');
