-- reindex: no
-- The program writes the keyword index. Triggers made FTS5 write to disk after every
-- row.
DROP TRIGGER IF EXISTS chunks_after_insert;
DROP TRIGGER IF EXISTS chunks_after_delete;
DROP TRIGGER IF EXISTS chunks_after_update;
