CREATE OR REPLACE TRIGGER report_closings_stay_decided BEFORE UPDATE ON report_closings
    FOR EACH ROW WHEN (old.status <> 'asked'::text)
    EXECUTE FUNCTION refuse_change('it was decided');
