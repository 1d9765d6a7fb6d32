-- reindex: no
-- superseded_by is declared like the rest of a memory's state, so that it can stand in
-- Markdown. What was only in the column becomes a decision of the sidecar.
UPDATE memories SET sidecar = json_set(sidecar, '$.superseded_by', substr(superseded_by, 1, 13))
  WHERE superseded_by IS NOT NULL;

-- The versions that a memory replaced.
CREATE INDEX idx_memories_superseded ON memories(superseded_by) WHERE superseded_by IS NOT NULL;
