CREATE OR REPLACE TRIGGER pay_bill_numbers_stay_for_a_year BEFORE UPDATE ON pay_bill_numbers
    FOR EACH ROW WHEN (old.given_at > (clock_timestamp() - '1 year'::interval))
    EXECUTE FUNCTION refuse_change('a payer may still have it');
