-- What went back is not sent again, and what was withdrawn is not sent.
CREATE OR REPLACE TRIGGER refunds_stay_ended BEFORE UPDATE OF status ON refunds
    FOR EACH ROW WHEN (old.status IN ('paid', 'withdrawn') AND new.status <> old.status)
    EXECUTE FUNCTION refuse_change('it has ended');
