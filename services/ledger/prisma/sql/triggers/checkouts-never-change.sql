CREATE OR REPLACE TRIGGER checkouts_never_change BEFORE DELETE OR UPDATE OR TRUNCATE ON checkouts
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is only ever added to');
