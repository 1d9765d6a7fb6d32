-- reindex: no
-- A copy of a text may also have a marker of a list item, a callout or an anchor that the
-- other one has not. The key of the wording without these; 0: the text has none. The
-- program fills the column for older rows, where it is -1.
ALTER TABLE memories ADD COLUMN bare INTEGER NOT NULL DEFAULT -1;
CREATE INDEX idx_memories_bare ON memories(bare) WHERE bare <> 0;
