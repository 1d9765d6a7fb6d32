-- reindex: no
-- The keyword index is written beside the chunks, not by triggers: each one made
-- FTS5 write to disk after every row.
DROP TRIGGER IF EXISTS chunks_after_insert;
DROP TRIGGER IF EXISTS chunks_after_delete;
DROP TRIGGER IF EXISTS chunks_after_update;
