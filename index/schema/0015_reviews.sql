-- reindex: no
-- What a person looked at in a review and settled. A memory is asked about again after
-- its text, or that of the other memory, has changed.
CREATE TABLE reviewed (
  memory_id TEXT    NOT NULL,
  other_id  TEXT    NOT NULL,                -- of a pair; '': none
  kind      TEXT    NOT NULL,                -- as the answer of a review names it
  texts     BLOB    NOT NULL CHECK (length(texts) = 32),  -- hash of the fingerprints of both texts
  batch     TEXT    NOT NULL,                -- the step, so that undo can reverse it
  at        INTEGER NOT NULL,                -- ms
  PRIMARY KEY (memory_id, other_id, kind)
) STRICT, WITHOUT ROWID;

-- The lines that a review changed in a file, as they were, and their neighbours. The
-- next backup deletes all rows, and so does destroy.
CREATE TABLE former_lines (
  batch  TEXT    NOT NULL,
  n      INTEGER NOT NULL,                   -- from 0, in the order of the changes
  path   TEXT    NOT NULL,
  start  INTEGER NOT NULL,                   -- where the lines began, in bytes
  before BLOB    NOT NULL,                   -- the lines before the change …
  after  BLOB    NOT NULL,                   -- … and after it
  above  BLOB    NOT NULL,                   -- the line above them …
  below  BLOB    NOT NULL,                   -- … and the line below
  PRIMARY KEY (batch, n)
) STRICT, WITHOUT ROWID;
