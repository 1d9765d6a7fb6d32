-- reindex: no
-- What protects a memory although its file lacks the line: another git branch has it.
ALTER TABLE memories ADD COLUMN held TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(held));
-- One key names the branch for all files.
DELETE FROM meta WHERE key GLOB 'branch:*';

-- A text with this mark was destroyed. It is in no table again.
ALTER TABLE forgotten ADD COLUMN destroyed INTEGER NOT NULL DEFAULT 0 CHECK (destroyed IN (0, 1));

-- The texts that a memory had before it was edited, as marks like those of forgotten.
CREATE TABLE former_texts (
  memory_id   TEXT    NOT NULL,
  mark        BLOB    NOT NULL CHECK (length(mark) = 32),
  wording     BLOB    CHECK (wording IS NULL OR length(wording) = 32),
  fingerprint BLOB    NOT NULL CHECK (length(fingerprint) = 32),
  key         INTEGER NOT NULL,                            -- of the wording; 0: the text has none
  PRIMARY KEY (memory_id, mark)
) STRICT, WITHOUT ROWID;
