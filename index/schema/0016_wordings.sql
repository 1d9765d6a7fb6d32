-- reindex: no
-- Copies of a text may differ in case, punctuation and markup. The key of its wording
-- finds them; 0: a text without letters, or not computed yet. The program fills the
-- column for older rows, and the wordings of forgotten texts.
ALTER TABLE memories ADD COLUMN wording INTEGER NOT NULL DEFAULT 0;
CREATE INDEX idx_memories_wording ON memories(wording);
-- A keyed hash like mark, made from the wording instead of the exact text. NULL: the
-- text is not known, as in marks of older versions.
ALTER TABLE forgotten ADD COLUMN wording BLOB CHECK (wording IS NULL OR length(wording) = 32);
CREATE INDEX idx_forgotten_wording ON forgotten(wording) WHERE wording IS NOT NULL;
