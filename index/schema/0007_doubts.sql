-- reindex: yes
-- An entry that forgets a memory and matches none exactly notes the memories that it
-- may be about.
ALTER TABLE entries ADD COLUMN doubtful TEXT NOT NULL DEFAULT '[]';
CREATE INDEX idx_entries_doubtful ON entries(path, n) WHERE doubtful <> '[]';
