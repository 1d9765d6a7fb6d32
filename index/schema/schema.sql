-- The durable tables. A rebuild of the index drops none of them.
--
-- Times are INTEGER, milliseconds since 1970-01-01T00:00:00Z. NULL means never, or
-- unknown. Hashes are BLOBs of 32 bytes. JSON is TEXT.

--------------------------------------------------------------------------------
-- Memories
--------------------------------------------------------------------------------

-- One row per memory: its text, its state, and what was observed. The program
-- computes the state (tier to private, created_at, expires_at) from the layers of
-- declarations; SQL never does. It is stored so that queries can filter by it. A
-- memory has either a row in places or a missing_since, never both. For a list of more
-- than two values, SQLite makes a temporary table in each INSERT: a CHECK has shorter ones.
CREATE TABLE memories (
  id               TEXT    PRIMARY KEY NOT NULL,           -- UUID, lower case, 36 characters
  text             TEXT    NOT NULL,                       -- as displayed
  fingerprint      BLOB    NOT NULL CHECK (length(fingerprint) = 32),   -- of text
  -- Copies of a text may differ in case, punctuation and markup. The key of its
  -- wording finds them; 0: a text without letters.
  wording          INTEGER NOT NULL DEFAULT 0,
  parent_id        TEXT,                                   -- the memory of which this is a part or summary
  entity_refs      TEXT    CHECK (entity_refs IS NULL OR json_valid(entity_refs)),
  meta_type        TEXT,                                   -- for extensions: this program sets none
  lang             TEXT    NOT NULL DEFAULT '',            -- ISO 639-1

  -- The state, as Resolve computed it.
  tier             TEXT    NOT NULL DEFAULT 'HOT' CHECK (
                     tier IN ('HOT','WARM') OR tier IN ('COLD','ARCHIVE')),
  tier_reason      TEXT    NOT NULL DEFAULT '',            -- for a person
  memory_type      TEXT    NOT NULL DEFAULT 'factual' CHECK (
                     memory_type IN ('procedural','factual') OR memory_type IN ('project','episodic')),
  category         TEXT    NOT NULL DEFAULT 'other' CHECK (
                     category IN ('fact','decision') OR category IN ('preference','task') OR category IN ('risk','plan')
                     OR category IN ('lesson','entity') OR category = 'other'),
  scope            TEXT    NOT NULL DEFAULT '',            -- '' and 'global' match every scope
  user             TEXT    NOT NULL DEFAULT '',            -- the name of an identity, or a channel id; '': everybody's
  importance       REAL    NOT NULL DEFAULT 0.7 CHECK (importance BETWEEN 0 AND 1),
  importance_label TEXT    NOT NULL DEFAULT 'unknown' CHECK (
                     importance_label IN ('must_remember','nice_to_have') OR importance_label IN ('unknown','ignore')),
  trust_tier       TEXT    NOT NULL DEFAULT 'trusted' CHECK (
                     trust_tier IN ('trusted','untrusted') OR trust_tier = 'quarantined'),
  source           TEXT    NOT NULL DEFAULT 'file' CHECK (
                     source IN ('file','tool') OR source IN ('auto-capture','import') OR source = 'legacy'),
  source_kind      TEXT    NOT NULL DEFAULT 'operator' CHECK (
                     source_kind IN ('operator','agent') OR source_kind = 'external'),
  source_ref       TEXT,                                   -- NULL: unknown
  source_hidden    TEXT    NOT NULL DEFAULT '',            -- of a derived memory: why it is hidden with a source
  tags             TEXT    NOT NULL DEFAULT '[]' CHECK (tags = '[]' OR json_valid(tags)),
  pinned           INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
  do_not_inject    INTEGER NOT NULL DEFAULT 0 CHECK (do_not_inject IN (0, 1)),   -- forgotten
  private          INTEGER NOT NULL DEFAULT 0 CHECK (private IN (0, 1)),
  superseded_by    TEXT,
  created_at       INTEGER NOT NULL,
  created_from     TEXT    NOT NULL DEFAULT '',            -- where created_at comes from
  expires_at       INTEGER,

  -- What the state is computed from, beside files and entries.
  sidecar          TEXT    NOT NULL DEFAULT '{}' CHECK (sidecar = '{}' OR json_valid(sidecar)),   -- declarations that are only in this database
  inherited        TEXT    NOT NULL DEFAULT '{}' CHECK (inherited = '{}' OR json_valid(inherited)), -- declarations of an entry whose file is gone
  held             TEXT    NOT NULL DEFAULT '{}' CHECK (held = '{}' OR json_valid(held)),      -- what protects it although its file lacks the line: another git branch has it
  observed_tier    TEXT    NOT NULL DEFAULT '' CHECK (
                     observed_tier IN ('','HOT') OR observed_tier IN ('WARM','COLD') OR observed_tier = 'ARCHIVE'),
  observed_tier_at INTEGER,
  observed_reason  TEXT    NOT NULL DEFAULT '',            -- why observed_tier, for a person
  declared_tier    TEXT    NOT NULL DEFAULT '',            -- the declared tier when last read …
  tier_seen_at     INTEGER,                                -- … and when it was first seen
  first_seen       INTEGER NOT NULL,
  edited_at        INTEGER,                                -- when the text last changed
  file_time        INTEGER,                                -- of its file, when the memory was first seen
  date_named       INTEGER,                                -- the date in the name of its daily note
  committed_at     INTEGER,                                -- the author date of the git commit that introduced the text
  git_note         TEXT    NOT NULL DEFAULT '',            -- '': no commit was searched for yet; 'found'; else why there is none
  detected_type    TEXT    NOT NULL DEFAULT '',
  detected_category TEXT   NOT NULL DEFAULT '',
  graded_importance REAL   NOT NULL DEFAULT -1 CHECK (graded_importance BETWEEN 0 AND 1 OR graded_importance = -1),   -- -1: not graded
  graded_label     TEXT    NOT NULL DEFAULT '',            -- '': not graded

  -- Uses, and what the ageing policy needs. A use counts for the policy only if the
  -- memory earned it.
  use_count        INTEGER NOT NULL DEFAULT 0 CHECK (use_count >= 0),
  last_accessed_at INTEGER,                                -- NULL: never used
  use_days         TEXT    NOT NULL DEFAULT '[]' CHECK (use_days = '[]' OR json_valid(use_days)),   -- YYYY-MM-DD, the last 60, in order
  tier_since       INTEGER,                                -- when tier last changed
  tier_held_until  INTEGER,                                -- a declared tier holds until then; NULL: not declared
  injected_at      INTEGER,                                -- the last injection that it owed to its similarity
  requested_at     INTEGER,                                -- the last time that a model asked for it with a tool
  returned_at      INTEGER,                                -- when injections alone last moved it from COLD to WARM
  tier_uses        INTEGER NOT NULL DEFAULT 0,             -- earned uses since tier_since …
  tier_use_days    INTEGER NOT NULL DEFAULT 0,             -- … their days …
  tier_used_on     TEXT    NOT NULL DEFAULT '',            -- … and the last of these, YYYY-MM-DD

  -- The last place of a missing memory.
  missing_since    INTEGER,                                -- NULL: present
  last_path        TEXT,                                   -- NULL while present
  last_ordinal     INTEGER NOT NULL DEFAULT 0,
  last_line_start  INTEGER NOT NULL DEFAULT 0,
  last_line_end    INTEGER NOT NULL DEFAULT 0,
  last_heading     TEXT    NOT NULL DEFAULT '[]',
  last_block_id    TEXT    NOT NULL DEFAULT '',

  chunks_hash      BLOB                                    -- of the content of its chunks; NULL: unknown or no chunks
) STRICT;

CREATE INDEX idx_memories_tier          ON memories(tier);
CREATE INDEX idx_memories_do_not_inject ON memories(id) WHERE do_not_inject;
CREATE INDEX idx_memories_pinned        ON memories(id) WHERE pinned;
CREATE INDEX idx_memories_last_accessed ON memories(last_accessed_at) WHERE last_accessed_at IS NOT NULL;
CREATE INDEX idx_memories_fingerprint   ON memories(fingerprint);
CREATE INDEX idx_memories_wording       ON memories(wording);
CREATE INDEX idx_memories_missing       ON memories(missing_since) WHERE missing_since IS NOT NULL;
CREATE INDEX idx_memories_last_path     ON memories(last_path) WHERE last_path IS NOT NULL;
-- The versions that a memory replaced.
CREATE INDEX idx_memories_superseded    ON memories(superseded_by) WHERE superseded_by IS NOT NULL;
-- The decisions that are in no file yet, and those whose lines are gone with a file.
CREATE INDEX idx_memories_sidecar       ON memories(id) WHERE sidecar <> '{}';
CREATE INDEX idx_memories_inherited     ON memories(id) WHERE inherited <> '{}';
CREATE INDEX idx_memories_not_searched  ON memories(git_note) WHERE git_note = '' AND date_named IS NULL;
-- What memories were captured from, and which are derived from those.
CREATE INDEX idx_memories_source_ref    ON memories(source_ref) WHERE source_ref IS NOT NULL;
CREATE INDEX idx_memories_derived       ON memories(id, source_ref, user) WHERE source_ref LIKE '% by-model';
-- Whose texts no answer for a model repeats.
CREATE INDEX idx_memories_private       ON memories(id) WHERE private;
CREATE INDEX idx_memories_quarantined   ON memories(id) WHERE trust_tier = 'quarantined';
CREATE INDEX idx_memories_source_hidden ON memories(id) WHERE source_hidden <> '';

-- The fingerprints that a memory had before an edit: a text that comes back unchanged is
-- the same memory again.
CREATE TABLE past_fingerprints (
  memory_id   TEXT NOT NULL,
  fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32),
  PRIMARY KEY (memory_id, fingerprint)
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_past_fingerprints_fingerprint ON past_fingerprints(fingerprint);

-- The revision at which a memory last changed in any way; deleted memories keep their
-- row. A reader with a copy in memory reads the changes after the copy's revision.
CREATE TABLE changes (
  memory_id TEXT    PRIMARY KEY NOT NULL,
  revision  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_changes_revision ON changes(revision);

--------------------------------------------------------------------------------
-- What the files say. It comes from Markdown, but a rebuild keeps it, because the
-- matching of memories needs it.
--------------------------------------------------------------------------------

-- One row per Markdown file. A zero hash means that it must be read again.
CREATE TABLE files (
  path     TEXT    PRIMARY KEY NOT NULL,                   -- slash-separated, relative to the workspace
  hash     BLOB    NOT NULL CHECK (length(hash) = 32),
  stamp    TEXT    NOT NULL,                               -- a file with an equal stamp is not read
  size     INTEGER NOT NULL,
  mod_time INTEGER NOT NULL,                               -- in nanoseconds, the precision of file systems
  declared TEXT    NOT NULL CHECK (json_valid(declared)),  -- front matter
  defaults TEXT    NOT NULL CHECK (json_valid(defaults)),  -- the defaults of the configuration for its path
  faults   TEXT    NOT NULL CHECK (json_valid(faults)),
  shifted  INTEGER NOT NULL DEFAULT 0                      -- the last revision that moved places of the file together
) STRICT;

CREATE INDEX idx_files_shifted ON files(shifted) WHERE shifted > 0;

-- Decisions about single memories in front matter: one row per line, in order. They
-- apply in the whole workspace, to a memory in any file.
CREATE TABLE entries (
  path       TEXT    NOT NULL,                             -- the file of the line
  n          INTEGER NOT NULL,                             -- from 0
  id_prefix  TEXT    NOT NULL,                             -- hexadecimal digits, no hyphens
  quote      TEXT    NOT NULL,
  declared   TEXT    NOT NULL CHECK (json_valid(declared)),
  line       INTEGER NOT NULL,
  about      TEXT    NOT NULL,                             -- memories.id; '': matches none
  about_path TEXT    NOT NULL,                             -- in a decisions file: the file of the memory
  -- An entry that protects a memory and matches none exactly notes the memories that it
  -- may be about. A person who decided about each of them has settled it. So has the
  -- deletion of its memory.
  doubtful   TEXT    NOT NULL DEFAULT '[]',
  settled    INTEGER NOT NULL DEFAULT 0 CHECK (settled IN (0, 1)),
  PRIMARY KEY (path, n)
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_entries_about    ON entries(about);
CREATE INDEX idx_entries_doubtful ON entries(path, n) WHERE doubtful <> '[]';

-- The block and the file of every present memory. Places are separate from state, so
-- that another checkout of the same workspace can have its own places.
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
  annotations TEXT    NOT NULL CHECK (annotations = '{}' OR json_valid(annotations)),
  links       TEXT    NOT NULL CHECK (links = '[]' OR json_valid(links)),
  triggers    TEXT    NOT NULL CHECK (triggers = '[]' OR json_valid(triggers)),
  hash        INTEGER NOT NULL                             -- of all that the block was read as, without its position; 0: not known
) STRICT, WITHOUT ROWID;

-- Not unique: two blocks may have the same number while a file is rewritten.
CREATE INDEX idx_places_path     ON places(path, ordinal);
-- A prompt reads the triggers of all memories that have any, which are few.
CREATE INDEX idx_places_triggers ON places(memory_id, triggers) WHERE triggers <> '[]';

-- Where a memory had a text before it moved or was edited. A text that returns to a
-- file is the memory that left it, even if it has other copies.
CREATE TABLE past_places (
  memory_id   TEXT    NOT NULL,
  path        TEXT    NOT NULL,
  fingerprint BLOB    NOT NULL CHECK (length(fingerprint) = 32),
  ordinal     INTEGER NOT NULL,                            -- the block's number in the file
  left_at     INTEGER NOT NULL,
  PRIMARY KEY (memory_id, path, fingerprint)
) STRICT, WITHOUT ROWID;

--------------------------------------------------------------------------------
-- Forgetting
--------------------------------------------------------------------------------

-- Marks of the texts that are forgotten in every copy: keyed hashes of the
-- fingerprint, and for short texts of heading path and fingerprint. No text.
CREATE TABLE forgotten (
  mark      BLOB    PRIMARY KEY NOT NULL CHECK (length(mark) = 32),
  at        INTEGER NOT NULL,
  wording   BLOB    CHECK (wording IS NULL OR length(wording) = 32),     -- a mark made from the wording; NULL: mark is one, or the text has none
  destroyed INTEGER NOT NULL DEFAULT 0 CHECK (destroyed IN (0, 1))       -- the text is in no table again
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_forgotten_wording ON forgotten(wording) WHERE wording IS NOT NULL;

-- The marks in the logs of other machines, by the keys of these. Those without a machine are of
-- texts that were restored here: what another machine hid before does not count.
CREATE TABLE machine_marks (
  mark      BLOB    NOT NULL CHECK (length(mark) = 32),
  machine   TEXT    NOT NULL,                              -- as its log names it
  at        INTEGER NOT NULL,
  state     INTEGER NOT NULL CHECK (state IN (0, 1, 2)),   -- restored, forgotten, destroyed
  wording   BLOB    CHECK (wording IS NULL OR length(wording) = 32),
  PRIMARY KEY (mark, machine)
) STRICT, WITHOUT ROWID;

-- The texts that a memory had before it was edited, as marks like those of forgotten.
CREATE TABLE former_texts (
  memory_id   TEXT    NOT NULL,
  mark        BLOB    NOT NULL CHECK (length(mark) = 32),
  wording     BLOB    CHECK (wording IS NULL OR length(wording) = 32),
  fingerprint BLOB    NOT NULL CHECK (length(fingerprint) = 32),
  key         INTEGER NOT NULL,                            -- of the wording; 0: the text has none
  PRIMARY KEY (memory_id, mark)
) STRICT, WITHOUT ROWID;

--------------------------------------------------------------------------------
-- Decisions: what was decided, what is being written, what undo needs
--------------------------------------------------------------------------------

-- Every decision, change of a tier and edit of a text: who, what, before, after, when. No
-- text, and of an edit the keyed hashes.
CREATE TABLE memory_audit (
  seq       INTEGER PRIMARY KEY AUTOINCREMENT,
  at        INTEGER NOT NULL,
  action    TEXT    NOT NULL,
  memory_id TEXT    NOT NULL,
  source    TEXT    NOT NULL,                              -- cli, file, tool, agent, capture, decay
  old       TEXT    NOT NULL CHECK (json_valid(old)),
  new       TEXT    NOT NULL CHECK (json_valid(new)),
  batch     TEXT    NOT NULL                               -- identifies the command
) STRICT;

CREATE INDEX idx_memory_audit_memory ON memory_audit(memory_id);

-- A decision that is being written into files. The row is inserted before the first
-- file changes, and deleted when the decision is complete. A row that exists at a
-- start belongs to an interrupted decision, which is then completed.
CREATE TABLE intents (
  batch TEXT    PRIMARY KEY NOT NULL,                      -- as in memory_audit
  at    INTEGER NOT NULL,
  body  TEXT    NOT NULL CHECK (json_valid(body))          -- ids and fields of state, never text
) STRICT, WITHOUT ROWID;

-- What a person looked at in a review and settled. A memory is asked about again after
-- its text, or that of the other memory, has changed.
CREATE TABLE reviewed (
  memory_id TEXT    NOT NULL,
  other_id  TEXT    NOT NULL,                              -- of a pair; '': none
  kind      TEXT    NOT NULL,                              -- as the answer of a review names it
  texts     BLOB    NOT NULL CHECK (length(texts) = 32),   -- hash of the fingerprints of both texts
  batch     TEXT    NOT NULL,                              -- the step, so that undo can reverse it
  at        INTEGER NOT NULL,
  PRIMARY KEY (memory_id, other_id, kind)
) STRICT, WITHOUT ROWID;

-- What a person thinks of a memory as an answer to questions like one. A destroy deletes
-- the rows of its memories, and those whose question contains the text.
CREATE TABLE feedback (
  batch     TEXT    NOT NULL,                              -- the command, as the audit names it
  memory_id TEXT    NOT NULL,
  verdict   TEXT    NOT NULL CHECK (verdict IN ('wrong', 'useful')),
  query     TEXT    NOT NULL,                              -- the question, as it was asked
  at        INTEGER NOT NULL,
  PRIMARY KEY (batch, memory_id)
) STRICT, WITHOUT ROWID;

-- The texts of a memory before and after a person edited it, so that undo can reverse the
-- edit. Their number is limited. A destroy deletes those that contain the text.
CREATE TABLE edits (
  seq       INTEGER PRIMARY KEY AUTOINCREMENT,
  batch     TEXT    NOT NULL,                              -- the command, as the audit names it
  memory_id TEXT    NOT NULL,                              -- the memory that has the new text
  was       TEXT    NOT NULL,
  text      TEXT    NOT NULL
) STRICT;

-- The current context of each user: one text that is injected first, if it has not
-- expired.
CREATE TABLE current_context (
  user       TEXT    PRIMARY KEY NOT NULL,                 -- '': everybody's
  text       TEXT    NOT NULL,
  set_at     INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

-- The contexts that a command replaced or cleared, until they expire, so that undo can
-- restore them. A destroy deletes those that contain the text.
CREATE TABLE former_contexts (
  seq        INTEGER PRIMARY KEY,
  batch      TEXT    NOT NULL,                             -- the command, as the audit names it
  user       TEXT    NOT NULL DEFAULT '',
  text       TEXT    NOT NULL,
  set_at     INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

--------------------------------------------------------------------------------
-- What models got and sent
--------------------------------------------------------------------------------

-- Uses, once per memory, user, session and day; kept as long as the days in use_days.
-- A use belongs to the user who got the memory, so that no user learns what others
-- were given.
CREATE TABLE uses (
  memory_id TEXT    NOT NULL,
  user      TEXT    NOT NULL,                              -- '': not known
  session   TEXT    NOT NULL,
  day       TEXT    NOT NULL,                              -- YYYY-MM-DD in the user's time zone
  at        INTEGER NOT NULL,
  kind      INTEGER NOT NULL DEFAULT 1,                    -- 0 delivered only, 1 earned injection, 2 requested
  PRIMARY KEY (memory_id, user, session, day)
) STRICT, WITHOUT ROWID;

CREATE INDEX idx_uses_day ON uses(day);

-- What requests did, in ids and figures, never text. Their number is
-- limited: the oldest are deleted first.
CREATE TABLE receipts (
  seq     INTEGER PRIMARY KEY AUTOINCREMENT,
  id      TEXT    NOT NULL UNIQUE,
  at      INTEGER NOT NULL,
  kind    TEXT    NOT NULL,                                -- recall, search, capture, store, decide, …
  session TEXT    NOT NULL,
  body    TEXT    NOT NULL CHECK (json_valid(body))
) STRICT;

-- What capture has seen in each session. A host sends the whole session each turn, so
-- that without these rows a captured line that a person deleted would come back.
CREATE TABLE captures (
  session TEXT    NOT NULL,
  mark    BLOB    NOT NULL,                                -- keyed hash of a message's key, or of a message's key and a captured text
  outcome TEXT    NOT NULL CHECK (outcome IN ('seen', 'stored', 'repeated', 'stopped')),
  at      INTEGER NOT NULL,
  UNIQUE (session, mark)
) STRICT;

-- Bursts: what a session stored and repeated in the last hour.
CREATE INDEX idx_captures_outcome ON captures(session, at) WHERE outcome <> 'seen';

--------------------------------------------------------------------------------
-- Vectors and values
--------------------------------------------------------------------------------

-- Vectors by text and model. Queries compare them, in memory or with sqlite-vec.
CREATE TABLE embeddings (
  fingerprint BLOB    NOT NULL CHECK (length(fingerprint) = 32),  -- of what is embedded, as in chunks
  model       INTEGER NOT NULL,                            -- hash of its name
  vector      BLOB    NOT NULL,                            -- 16 bits a number: the upper bytes of all, which sqlite-vec compares, then the
                                                           -- lower ones; all zero: the model knows nothing of the text
  sum         INTEGER NOT NULL,                            -- CRC-32 of vector
  PRIMARY KEY (fingerprint, model)
) STRICT;

-- revision, model, dim, clean, forget_key, last_index, last_decay_run …
CREATE TABLE meta (
  key   TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
