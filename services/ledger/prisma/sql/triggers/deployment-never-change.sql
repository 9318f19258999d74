CREATE OR REPLACE TRIGGER deployment_never_change BEFORE DELETE OR UPDATE OR TRUNCATE ON deployment
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is only ever added to');
