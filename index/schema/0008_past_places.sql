-- reindex: no
-- Where a memory had a text before it moved or was edited. A text that returns to a
-- file is the memory that left it, even if it has other copies.
CREATE TABLE past_places (
  memory_id   TEXT    NOT NULL,
  path        TEXT    NOT NULL,
  fingerprint BLOB    NOT NULL CHECK (length(fingerprint) = 32),
  ordinal     INTEGER NOT NULL,                            -- the block's number in the file
  left_at     INTEGER NOT NULL,
  PRIMARY KEY (memory_id, path, fingerprint)
) STRICT, WITHOUT ROWID;
