-- reindex: no
-- Each user has a current context of its own. The one of no user is everybody's.
ALTER TABLE current_context RENAME TO one_context;
CREATE TABLE current_context (
  user       TEXT    PRIMARY KEY NOT NULL,                 -- empty: everybody's
  text       TEXT    NOT NULL,
  set_at     INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
INSERT INTO current_context(user, text, set_at, expires_at) SELECT '', text, set_at, expires_at FROM one_context;
DROP TABLE one_context;
ALTER TABLE former_contexts ADD COLUMN user TEXT NOT NULL DEFAULT '';
