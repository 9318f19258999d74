-- The version of this schema, and the floor: the lowest version whose code may run on it. docs/releases.md says when each is
-- raised. Code has the same two numbers in src/database/schema-version.ts.
CREATE OR REPLACE FUNCTION schema_version() RETURNS TABLE (version INTEGER, floor INTEGER)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT 19, 1 $$;
