CREATE OR REPLACE TRIGGER pay_bill_numbers_never_go BEFORE DELETE OR TRUNCATE ON pay_bill_numbers
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is never removed');
