CREATE OR REPLACE TRIGGER suspense_items_never_change BEFORE DELETE OR UPDATE OR TRUNCATE ON suspense_items
    FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change('it is only ever added to');
