-- Whether the money of the item was placed or refunded, so that what is open is found without reading all that ever was held.
ALTER TABLE suspense_items ADD COLUMN is_closed BOOLEAN NOT NULL DEFAULT false;
-- It refused each UPDATE. The migrate step makes it anew after the next migration, for all columns but this one.
DROP TRIGGER IF EXISTS suspense_items_never_change ON suspense_items;
