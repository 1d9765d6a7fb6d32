-- A decision that is being written into files. It is there from before the first
-- file is touched until what was decided is published; one that is found at a
-- start was cut short, and is carried out then.
CREATE TABLE intents (
  batch TEXT    PRIMARY KEY NOT NULL,                      -- names the command in the audit
  at    INTEGER NOT NULL,
  body  TEXT    NOT NULL CHECK (json_valid(body))          -- ids and words of state, never text
) STRICT, WITHOUT ROWID;
