-- reindex: no
-- Memories that may be the text of a forgotten one that is in no file, and whose
-- decision was in no file either when they were first seen. They are forgotten as long
-- as that one is.
CREATE TABLE doubts (
  memory_id TEXT NOT NULL,
  forgotten TEXT NOT NULL,                    -- the id of the forgotten memory
  PRIMARY KEY (memory_id, forgotten)
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_doubts_forgotten ON doubts(forgotten);
