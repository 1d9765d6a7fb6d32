-- reindex: no
-- The importance that grade gave a memory. What is declared is stronger.
ALTER TABLE memories ADD COLUMN graded_importance REAL NOT NULL DEFAULT -1 CHECK (graded_importance BETWEEN 0 AND 1 OR graded_importance = -1);  -- -1: not graded
ALTER TABLE memories ADD COLUMN graded_label TEXT NOT NULL DEFAULT '';    -- '': not graded
