CREATE OR REPLACE TRIGGER report_postings_stay_decided BEFORE UPDATE ON report_postings
    FOR EACH ROW WHEN (old.status <> 'asked'::text)
    EXECUTE FUNCTION refuse_change('it was decided');
