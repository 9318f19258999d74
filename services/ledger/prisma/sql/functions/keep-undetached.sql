-- Only the owner of the tables may remove a step or empty a body, and only one from before the end of a month whose
-- file is recorded and of which not everything was removed yet. packages/stack/src/retention/ compares what it removes
-- with the file, line by line.
CREATE OR REPLACE FUNCTION keep_undetached() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    v_at TIMESTAMPTZ;
    v_is_detached BOOLEAN;
BEGIN
    IF TG_OP = 'DELETE' THEN
        v_at := OLD.at;
    ELSIF octet_length(NEW.body) = 0 THEN
        v_at := OLD.received_at;
    END IF;
    SELECT pg_has_role(c.relowner, 'USAGE') AND EXISTS (
        SELECT FROM detached_months d WHERE d.removed_at IS NULL AND d.until_at > v_at
    ) INTO v_is_detached FROM pg_class c WHERE c.oid = TG_RELID;
    IF NOT v_is_detached THEN
        RAISE EXCEPTION '% of % is refused: it is in no detached file', TG_OP, TG_TABLE_NAME
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
