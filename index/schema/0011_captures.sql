-- reindex: no
-- What capture has seen in each session. A host sends the whole session each turn, so
-- that without these rows a captured line that a person deleted would come back.
CREATE TABLE captures (
  session TEXT NOT NULL,
  mark    BLOB NOT NULL, -- keyed hash of a message's key, or of a message's key and a captured text
  outcome TEXT NOT NULL CHECK (outcome IN ('seen', 'stored', 'repeated', 'stopped')),
  at      INTEGER NOT NULL, -- ms
  UNIQUE (session, mark)
) STRICT;

-- Bursts: what a session stored and repeated in the last hour.
CREATE INDEX idx_captures_outcome ON captures(session, at) WHERE outcome <> 'seen';
