-- reindex: yes
-- The author date of the git commit that introduced a memory's text. It is searched
-- for once.
ALTER TABLE memories ADD COLUMN committed_at INTEGER;                  -- NULL: unknown
ALTER TABLE memories ADD COLUMN git_note TEXT NOT NULL DEFAULT '';     -- '': not searched yet; 'found'; else why there is none
ALTER TABLE memories ADD COLUMN created_from TEXT NOT NULL DEFAULT ''; -- where created_at comes from
CREATE INDEX idx_memories_not_searched ON memories(id) WHERE git_note = '';
