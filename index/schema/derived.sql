-- The derived tables. A rebuild of the index drops the keyword index and fills it again.
-- It keeps the chunks, and compares each with its file.

-- The unit of indexing: one chunk per memory, or several for a long text. A missing
-- memory has none, so that no search finds it.
CREATE TABLE IF NOT EXISTS chunks (
  id          INTEGER PRIMARY KEY,                         -- also the row in memories_fts
  memory_id   TEXT    NOT NULL,
  n           INTEGER NOT NULL,                            -- from 0
  text        TEXT    NOT NULL,
  context     TEXT    NOT NULL,                            -- heading path, date in words, file name, triggers
  parts       TEXT    NOT NULL,                            -- words that the tokeniser does not split off: pairs of CJK
                                                           -- characters, words inside CJK text, parts of camelCase and utf8mb4,
                                                           -- usual forms of full-width words, words without umlauts, words for emoji
  fingerprint BLOB    NOT NULL CHECK (length(fingerprint) = 32),  -- of what is embedded: the text from speech on, and the topic
  speech      INTEGER NOT NULL DEFAULT 0,                  -- length in bytes of the prefix "Name: " of text
  speaker     TEXT    NOT NULL DEFAULT '',                 -- the name in that prefix; '': none
  topic       TEXT    NOT NULL DEFAULT '',                 -- what the headings say of the subject; '': nothing, or talk
  embedded    INTEGER NOT NULL DEFAULT 0                   -- 1: its vector of the serving model is known
) STRICT;

CREATE INDEX IF NOT EXISTS idx_chunks_memory      ON chunks(memory_id);
CREATE INDEX IF NOT EXISTS idx_chunks_fingerprint ON chunks(fingerprint);
CREATE INDEX IF NOT EXISTS idx_chunks_pending     ON chunks(id) WHERE embedded = 0;

CREATE INDEX IF NOT EXISTS idx_chunks_speaker     ON chunks(speaker) WHERE speaker <> '';

-- The program writes it with the chunks, many rows in one statement: FTS5 writes to
-- disk whenever another statement, such as that of a trigger, comes between.
CREATE VIRTUAL TABLE memories_fts USING fts5(
  text, context, parts,
  content = 'chunks', content_rowid = 'id',
  tokenize = 'porter unicode61'
);

-- The number of chunks with a token, for the calibration of keyword scores.
CREATE VIRTUAL TABLE memories_fts_words USING fts5vocab(memories_fts, row);

-- The chunks with a token.
CREATE VIRTUAL TABLE memories_fts_places USING fts5vocab(memories_fts, instance);
