-- The derived tables: dropped and filled again whenever the index is rebuilt.

-- The unit of indexing: one a memory, several where its text is long. A missing
-- memory has none, so that it leaves every search at once.
CREATE TABLE chunks (
  id          INTEGER PRIMARY KEY,                         -- also the row in memories_fts and memories_vec
  memory_id   TEXT    NOT NULL,
  n           INTEGER NOT NULL,                            -- from 0
  text        TEXT    NOT NULL,
  context     TEXT    NOT NULL,                            -- heading path, date in words, file name, triggers
  parts       TEXT    NOT NULL,                            -- what the tokeniser does not cut: pairs of CJK characters,
                                                           -- words inside CJK text, parts of camelCase and utf8mb4
  fingerprint BLOB    NOT NULL CHECK (length(fingerprint) = 32),  -- of what is embedded: text from speech on
  speech      INTEGER NOT NULL DEFAULT 0,                  -- bytes of text before what is said begins: "Name: "
  speaker     TEXT    NOT NULL DEFAULT '',                 -- who says the memory; '' nobody is named
  embedded    INTEGER NOT NULL DEFAULT 0,                  -- 1: the current model's vector of it is known
  next        INTEGER NOT NULL DEFAULT 0                   -- 1: that of the model being changed to is
) STRICT;

CREATE INDEX idx_chunks_memory      ON chunks(memory_id);
CREATE INDEX idx_chunks_fingerprint ON chunks(fingerprint);
CREATE INDEX idx_chunks_pending     ON chunks(id) WHERE embedded = 0;

CREATE INDEX idx_chunks_speaker     ON chunks(speaker) WHERE speaker <> '';

-- Whoever writes chunks writes it too, in one go for many: FTS5 writes to disk
-- whenever a statement of another kind, such as a trigger's, comes between.
CREATE VIRTUAL TABLE memories_fts USING fts5(
  text, context, parts,
  content = 'chunks', content_rowid = 'id',
  tokenize = 'porter unicode61'
);

-- How many chunks hold a token: what the calibration of a keyword score asks.
CREATE VIRTUAL TABLE memories_fts_words USING fts5vocab(memories_fts, row);
