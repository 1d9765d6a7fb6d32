-- reindex: no
-- A use belongs to the user who got the memory, so that no user learns what others were given.
CREATE TABLE uses_of_users (
  memory_id TEXT    NOT NULL,
  user      TEXT    NOT NULL,                              -- empty: not known, as of all uses until now
  session   TEXT    NOT NULL,
  day       TEXT    NOT NULL,                              -- YYYY-MM-DD in the user's time zone
  at        INTEGER NOT NULL,
  kind      INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (memory_id, user, session, day)
) STRICT, WITHOUT ROWID;

INSERT INTO uses_of_users(memory_id, user, session, day, at, kind) SELECT memory_id, '', session, day, at, kind FROM uses;

DROP TABLE uses;

ALTER TABLE uses_of_users RENAME TO uses;

CREATE INDEX idx_uses_day ON uses(day);
