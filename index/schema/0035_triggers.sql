-- reindex: no
-- A prompt reads the triggers of all memories that have any, which are few.
CREATE INDEX IF NOT EXISTS idx_places_triggers ON places(memory_id, triggers) WHERE triggers <> '[]';
