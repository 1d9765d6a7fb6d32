-- The keyword index. The program writes the tokens of FTS5's analyser, so that both
-- systems find the same: A in the text, B in the context, C in the parts.
CREATE TABLE memories_fts (
  rowid BIGINT   PRIMARY KEY,                              -- chunks.id
  words TSVECTOR NOT NULL
);
CREATE INDEX idx_memories_fts_words ON memories_fts USING gin (words);

-- The number of chunks with a token. Half of each page is free, so that a new number stays on
-- the page and no index changes.
CREATE TABLE memories_fts_words (
  term TEXT COLLATE "C" PRIMARY KEY,
  doc  BIGINT NOT NULL
) WITH (fillfactor = 50);

-- The upper bytes of a vector, as pgvector compares them.
ALTER TABLE embeddings ADD COLUMN IF NOT EXISTS direction halfvec
  GENERATED ALWAYS AS (vec_int8(substr(vector, 1, length(vector) / 2))) STORED;

-- The planner's statistics contain values. They contain none of columns with contents, so that
-- nothing of a destroyed text is in the catalog. The columns below have ids, paths and words of
-- the program.
DO $$
DECLARE
  c RECORD;
BEGIN
  FOR c IN SELECT table_name, column_name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND data_type IN ('text', 'tsvector') AND column_name NOT IN
      ('id', 'memory_id', 'path', 'last_path', 'user', 'session', 'batch', 'kind', 'tier', 'scope', 'source', 'source_ref', 'source_hidden',
       'superseded_by', 'about', 'trust_tier', 'git_note', 'action', 'outcome', 'day') LOOP
    EXECUTE format('ALTER TABLE %I ALTER COLUMN %I SET STATISTICS 0', c.table_name, c.column_name);
  END LOOP;
END $$;

-- The owner of the schema, which is the role of the service, reads everything. Any other role that
-- is granted SELECT reads only what is everybody's, or belongs to the user with the name of the role.
-- Forgotten and private memories are not among it. A table without a policy shows nothing.
DO $$
DECLARE
  t TEXT;
BEGIN
  FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
  END LOOP;
  FOREACH t IN ARRAY ARRAY['memories', 'places', 'chunks', 'uses', 'current_context'] LOOP
    EXECUTE format('DROP POLICY IF EXISTS shown ON %I', t);
  END LOOP;
END $$;

CREATE POLICY shown ON memories FOR SELECT USING
  (("user" = '' OR "user" = current_user) AND NOT do_not_inject AND NOT private AND source_hidden = '');
CREATE POLICY shown ON places FOR SELECT USING (EXISTS (SELECT 1 FROM memories m WHERE m.id = memory_id));
CREATE POLICY shown ON chunks FOR SELECT USING (EXISTS (SELECT 1 FROM memories m WHERE m.id = memory_id));
CREATE POLICY shown ON uses FOR SELECT USING ("user" = current_user);
CREATE POLICY shown ON current_context FOR SELECT USING ("user" = '' OR "user" = current_user);

-- The views read with the rights of who asks.
ALTER VIEW IF EXISTS remembered SET (security_invoker = true);
ALTER VIEW IF EXISTS visible SET (security_invoker = true);
