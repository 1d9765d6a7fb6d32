-- A decision that is being written into files. The row is inserted before the first
-- file changes, and deleted when the decision is complete. A row that exists at a
-- start belongs to an interrupted decision, which is then completed.
CREATE TABLE intents (
  batch TEXT    PRIMARY KEY NOT NULL,                      -- identifies the command in the audit
  at    INTEGER NOT NULL,
  body  TEXT    NOT NULL CHECK (json_valid(body))          -- ids and fields of state, never text
) STRICT, WITHOUT ROWID;
