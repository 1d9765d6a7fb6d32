-- reindex: yes
-- The durable tables. A rebuild of the index drops none of them.
--
-- Times are INTEGER, milliseconds since 1970-01-01T00:00:00Z. NULL means never, or
-- unknown. Hashes are BLOBs of 32 bytes. JSON is TEXT.

-- One row per memory: its text, its state, and what was observed. The program
-- computes the state (tier to private, created_at, expires_at) from the layers of
-- declarations; SQL never does. It is stored so that queries can filter by it. A
-- memory has either a row in places or a missing_since, never both.
CREATE TABLE memories (
  id               TEXT    PRIMARY KEY NOT NULL,           -- UUID, lower case, 36 characters
  text             TEXT    NOT NULL,                       -- as displayed
  importance       REAL    NOT NULL DEFAULT 0.7 CHECK (importance BETWEEN 0 AND 1),
  category         TEXT    NOT NULL DEFAULT 'other' CHECK (category IN
                     ('fact','decision','preference','task','risk','plan','lesson','entity','other')),
  created_at       INTEGER NOT NULL,
  tier             TEXT    NOT NULL DEFAULT 'HOT' CHECK (tier IN ('HOT','WARM','COLD','ARCHIVE')),
  memory_type      TEXT    NOT NULL DEFAULT 'factual' CHECK (memory_type IN
                     ('procedural','factual','project','episodic')),
  do_not_inject    INTEGER NOT NULL DEFAULT 0 CHECK (do_not_inject IN (0, 1)),   -- forgotten
  pinned           INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
  use_count        INTEGER NOT NULL DEFAULT 0 CHECK (use_count >= 0),
  last_accessed_at INTEGER,                                -- NULL: never used
  use_days         TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(use_days)),   -- YYYY-MM-DD, the last 60, in order
  source           TEXT    NOT NULL DEFAULT 'file' CHECK (source IN
                     ('file','tool','auto-capture','import','legacy')),
  parent_id        TEXT,                                   -- the memory of which this is a part or summary
  entity_refs      TEXT    CHECK (entity_refs IS NULL OR json_valid(entity_refs)),
  meta_type        TEXT,

  scope            TEXT    NOT NULL DEFAULT '',            -- '' and 'global' match every scope
  importance_label TEXT    NOT NULL DEFAULT 'unknown' CHECK (importance_label IN
                     ('must_remember','nice_to_have','unknown','ignore')),
  trust_tier       TEXT    NOT NULL DEFAULT 'trusted' CHECK (trust_tier IN
                     ('trusted','untrusted','quarantined')),
  source_kind      TEXT    NOT NULL DEFAULT 'operator' CHECK (source_kind IN ('operator','agent','external')),
  source_ref       TEXT,                                   -- NULL: unknown
  lang             TEXT    NOT NULL DEFAULT '',            -- ISO 639-1
  tags             TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(tags)),
  superseded_by    TEXT,
  private          INTEGER NOT NULL DEFAULT 0 CHECK (private IN (0, 1)),
  expires_at       INTEGER,
  tier_reason      TEXT    NOT NULL DEFAULT '',            -- for a person
  edited_at        INTEGER,                                -- when the text last changed

  fingerprint      BLOB    NOT NULL CHECK (length(fingerprint) = 32),   -- of text
  sidecar          TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(sidecar)),  -- declarations that are only in this database
  inherited        TEXT    NOT NULL DEFAULT '{}' CHECK (json_valid(inherited)), -- declarations of an entry whose file is gone
  observed_tier    TEXT    NOT NULL DEFAULT '' CHECK (observed_tier IN ('','HOT','WARM','COLD','ARCHIVE')),
  observed_tier_at INTEGER,
  declared_tier    TEXT    NOT NULL DEFAULT '',            -- the declared tier when last read …
  tier_seen_at     INTEGER,                                -- … and when it was first seen
  first_seen       INTEGER NOT NULL,
  file_time        INTEGER,                                -- of its file, when the memory was first seen
  date_named       INTEGER,                                -- the date in the name of its daily note
  detected_type    TEXT    NOT NULL DEFAULT '',
  detected_category TEXT   NOT NULL DEFAULT '',

  missing_since    INTEGER,                                -- NULL: present
  last_path        TEXT,                                   -- the last place of a missing memory; NULL while present
  last_ordinal     INTEGER NOT NULL DEFAULT 0,
  last_line_start  INTEGER NOT NULL DEFAULT 0,
  last_line_end    INTEGER NOT NULL DEFAULT 0,
  last_heading     TEXT    NOT NULL DEFAULT '[]',
  last_block_id    TEXT    NOT NULL DEFAULT '',
  chunks_hash      BLOB                                    -- of the content of its chunks; NULL: unknown or no chunks
) STRICT;

CREATE INDEX idx_memories_tier          ON memories(tier);
CREATE INDEX idx_memories_do_not_inject ON memories(do_not_inject);
CREATE INDEX idx_memories_pinned        ON memories(pinned);
CREATE INDEX idx_memories_last_accessed ON memories(last_accessed_at);
CREATE INDEX idx_memories_fingerprint   ON memories(fingerprint);
CREATE INDEX idx_memories_missing       ON memories(missing_since) WHERE missing_since IS NOT NULL;
CREATE INDEX idx_memories_last_path     ON memories(last_path) WHERE last_path IS NOT NULL;

-- Every fingerprint that a memory has had, including the current one: a text that
-- comes back unchanged is the same memory again.
CREATE TABLE fingerprints (
  memory_id   TEXT NOT NULL,
  fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32),
  PRIMARY KEY (memory_id, fingerprint)
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_fingerprints_fingerprint ON fingerprints(fingerprint);

-- One row per Markdown file. A zero hash means that it must be read again.
CREATE TABLE files (
  path     TEXT    PRIMARY KEY NOT NULL,                   -- slash-separated, relative to the workspace
  hash     BLOB    NOT NULL CHECK (length(hash) = 32),
  stamp    TEXT    NOT NULL,                               -- a file with an equal stamp is not read
  size     INTEGER NOT NULL,
  mod_time INTEGER NOT NULL,                               -- in nanoseconds, the precision of file systems
  declared TEXT    NOT NULL CHECK (json_valid(declared)),  -- front matter
  defaults TEXT    NOT NULL CHECK (json_valid(defaults)),  -- the defaults of the configuration for its path
  faults   TEXT    NOT NULL CHECK (json_valid(faults))
) STRICT;

-- Decisions about single memories in front matter: one row per line, in order. They
-- apply in the whole workspace, to a memory in any file.
CREATE TABLE entries (
  path      TEXT    NOT NULL,                              -- the file of the line
  n         INTEGER NOT NULL,                              -- from 0
  id_prefix TEXT    NOT NULL,                              -- hexadecimal digits, no hyphens
  quote     TEXT    NOT NULL,
  declared  TEXT    NOT NULL CHECK (json_valid(declared)),
  line      INTEGER NOT NULL,
  about     TEXT    NOT NULL,                              -- memories.id; '': matches none
  about_path TEXT   NOT NULL,                              -- in a decisions file: the file of the memory
  PRIMARY KEY (path, n)
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_entries_about ON entries(about);

-- The block and the file of every present memory. Places are separate from state, so
-- that another checkout of the same workspace can have its own places. They come
-- from Markdown, but a rebuild keeps them, because the matching of memories needs
-- them.
CREATE TABLE places (
  memory_id   TEXT    PRIMARY KEY NOT NULL,
  path        TEXT    NOT NULL,
  ordinal     INTEGER NOT NULL,                            -- the block's number in its file, from 0
  span_start  INTEGER NOT NULL,                            -- bytes, [start, end)
  span_end    INTEGER NOT NULL,
  line_start  INTEGER NOT NULL,                            -- 1-based, inclusive
  line_end    INTEGER NOT NULL,
  heading     TEXT    NOT NULL CHECK (json_valid(heading)),
  kind        TEXT    NOT NULL,
  block_id    TEXT    NOT NULL,                            -- of Obsidian, without the caret; '': none
  annotations TEXT    NOT NULL CHECK (json_valid(annotations)),
  links       TEXT    NOT NULL CHECK (json_valid(links)),
  triggers    TEXT    NOT NULL CHECK (json_valid(triggers))
) STRICT, WITHOUT ROWID;

-- Not unique: two blocks may have the same number while a file is rewritten.
CREATE INDEX idx_places_path ON places(path, ordinal);

-- Marks of the texts that are forgotten in every copy: keyed hashes of the
-- fingerprint, and for short texts of heading path and fingerprint. No text.
CREATE TABLE forgotten (
  mark BLOB    PRIMARY KEY NOT NULL CHECK (length(mark) = 32),
  at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Uses, once per memory, session and day; kept as long as the days in use_days.
CREATE TABLE uses (
  memory_id TEXT    NOT NULL,
  session   TEXT    NOT NULL,
  day       TEXT    NOT NULL,                              -- YYYY-MM-DD in the user's time zone
  at        INTEGER NOT NULL,
  PRIMARY KEY (memory_id, session, day)
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_uses_day ON uses(day);

-- The current context: one text that is injected first, if it has not expired.
CREATE TABLE current_context (
  id         INTEGER PRIMARY KEY CHECK (id = 1),
  text       TEXT    NOT NULL,
  set_at     INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

-- Every decision and every change of a tier: who, what, before, after, when. No text.
CREATE TABLE memory_audit (
  seq       INTEGER PRIMARY KEY AUTOINCREMENT,
  at        INTEGER NOT NULL,
  action    TEXT    NOT NULL,
  memory_id TEXT    NOT NULL,
  source    TEXT    NOT NULL,                              -- cli, file, tool, agent, capture, decay
  old       TEXT    NOT NULL CHECK (json_valid(old)),
  new       TEXT    NOT NULL CHECK (json_valid(new)),
  batch     TEXT    NOT NULL
) STRICT;

CREATE INDEX idx_memory_audit_memory ON memory_audit(memory_id);

-- What recalls and captures did, in ids and figures, never text. Their number is
-- limited: the oldest are deleted first.
CREATE TABLE receipts (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT,
  id      TEXT    NOT NULL UNIQUE,
  at      INTEGER NOT NULL,
  kind    TEXT    NOT NULL,                                -- recall or capture
  session TEXT    NOT NULL,
  body    TEXT    NOT NULL CHECK (json_valid(body))
) STRICT;

-- Vectors by text and model: a cache, the source of memories_vec, and the data of an
-- exact comparison.
CREATE TABLE embeddings (
  fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32),  -- of the text of a chunk
  model       TEXT NOT NULL,
  vector      BLOB NOT NULL,                               -- float32, little endian, unit length or all zero
  code        BLOB NOT NULL,                               -- one sign bit per dimension, lowest bit first
  PRIMARY KEY (fingerprint, model)
) STRICT;

-- The revision at which a memory last changed in any way; deleted memories keep their
-- row. A reader with a copy in memory reads the changes after the copy's revision.
CREATE TABLE changes (
  memory_id TEXT    PRIMARY KEY NOT NULL,
  revision  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_changes_revision ON changes(revision);

-- revision, model, dim, clean, forget_key, last_index, last_decay_run …
CREATE TABLE meta (
  key   TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
