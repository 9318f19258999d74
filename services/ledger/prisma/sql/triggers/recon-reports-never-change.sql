CREATE OR REPLACE TRIGGER recon_reports_never_change BEFORE DELETE OR UPDATE OR TRUNCATE ON recon_reports
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is only ever added to');
