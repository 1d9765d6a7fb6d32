-- reindex: no
-- An entry that may be about several memories has no effect after a person decided
-- about each of them. It is no fault any more.
ALTER TABLE entries ADD COLUMN settled INTEGER NOT NULL DEFAULT 0 CHECK (settled IN (0, 1));
