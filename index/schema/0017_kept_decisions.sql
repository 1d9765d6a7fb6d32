-- reindex: no
-- Finds the decisions whose lines are gone with a file without reading every memory.
CREATE INDEX idx_memories_inherited ON memories(id) WHERE inherited <> '{}';
