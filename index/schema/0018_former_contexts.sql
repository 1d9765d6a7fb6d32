-- reindex: no
-- The contexts that a command replaced or cleared, until they expire, so that undo can
-- restore them. A destroy deletes those that contain the text.
CREATE TABLE former_contexts (
  seq        INTEGER PRIMARY KEY,
  batch      TEXT    NOT NULL,               -- the command, as the audit names it
  text       TEXT    NOT NULL,
  set_at     INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
