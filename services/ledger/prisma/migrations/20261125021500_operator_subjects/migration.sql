-- The person behind an operator's key, as the identity provider of the console names them; NULL where that is the name. One
-- person has one key that is enrolled or asked for, so that a request is not approved with a second key of the one who asked.
ALTER TABLE operators ADD COLUMN subject TEXT;
ALTER TABLE operators ADD CONSTRAINT operators_subject_shape CHECK (subject ~ '^[\x21-\x40\x5b-\x7e]{1,255}$');
CREATE UNIQUE INDEX operators_subject_key ON operators (coalesce(subject, name))
    WHERE public_key IS NOT NULL AND retired_at IS NULL;
