-- reindex: no
-- Finds the decisions that are in no file yet without reading every memory.
CREATE INDEX idx_memories_sidecar ON memories(id) WHERE sidecar <> '{}';
