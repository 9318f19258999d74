-- A ledger refuses the database of another cell. What was made before there were cells is the first.
ALTER TABLE deployment ADD COLUMN cell SMALLINT NOT NULL DEFAULT 0 CHECK (cell BETWEEN 0 AND 255);
