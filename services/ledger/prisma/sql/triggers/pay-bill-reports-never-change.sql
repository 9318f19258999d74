CREATE OR REPLACE TRIGGER pay_bill_reports_never_change BEFORE DELETE OR UPDATE OR TRUNCATE ON pay_bill_reports
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is only ever added to');
