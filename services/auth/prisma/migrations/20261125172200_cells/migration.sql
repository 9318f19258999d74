-- The money of an account is in one cell of its home country. What was made before there were cells is in the first.
ALTER TABLE accounts ADD COLUMN cell SMALLINT NOT NULL DEFAULT 0 CHECK (cell BETWEEN 0 AND 255);
