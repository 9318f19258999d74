-- What a handle looks like to a reader in a hurry, as domain/skeleton.ts says: case, dots, dashes and underscores do not
-- count, `m` looks like `rn`, `0` like `o`, and `1` and `i` like `l`.
CREATE FUNCTION handle_skeleton(p_handle TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
    SELECT replace(translate(lower(p_handle COLLATE "C"), '01i._-', 'oll'), 'm', 'rn')
$$;

-- Null for handles from before that look like an earlier one: they keep working.
ALTER TABLE handles ADD COLUMN skeleton TEXT;

UPDATE handles h SET skeleton = handle_skeleton(h.handle)
FROM (
    SELECT DISTINCT ON (handle_skeleton(h.handle)) h.folded FROM handles h JOIN accounts a USING (account_id)
    ORDER BY handle_skeleton(h.handle), h.kind DESC, a.created_at, h.folded
) first
WHERE h.folded = first.folded;

-- Two who ask for handles that look alike at one moment: one gets it.
CREATE UNIQUE INDEX handles_skeleton_key ON handles (skeleton);

CREATE FUNCTION set_handle_skeleton() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.skeleton := handle_skeleton(NEW.handle);
    RETURN NEW;
END $$;

CREATE TRIGGER handles_have_a_skeleton BEFORE INSERT ON handles
    FOR EACH ROW EXECUTE FUNCTION set_handle_skeleton();
