-- A refund that was paid is not sent again, and one that was withdrawn is never sent.
CREATE OR REPLACE TRIGGER refunds_stay_ended BEFORE UPDATE OF status ON refunds
    FOR EACH ROW WHEN (old.status IN ('paid', 'withdrawn') AND new.status <> old.status)
    EXECUTE FUNCTION refuse_change('it has ended');
