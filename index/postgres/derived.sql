-- The keyword index. The program writes the tokens of FTS5's analyser, so that both
-- systems find the same: A in the text, B in the context, C in the parts.
CREATE TABLE memories_fts (
  rowid BIGINT   PRIMARY KEY,                              -- chunks.id
  words TSVECTOR NOT NULL
);
CREATE INDEX idx_memories_fts_words ON memories_fts USING gin (words);

-- The number of chunks with a token.
CREATE TABLE memories_fts_words (
  term TEXT COLLATE "C" PRIMARY KEY,
  doc  BIGINT NOT NULL
);
CREATE INDEX idx_memories_fts_unused ON memories_fts_words (term) WHERE doc <= 0;

-- The upper bytes of a vector, as pgvector compares them.
ALTER TABLE embeddings ADD COLUMN IF NOT EXISTS direction halfvec
  GENERATED ALWAYS AS (vec_int8(substr(vector, 1, length(vector) / 2))) STORED;
