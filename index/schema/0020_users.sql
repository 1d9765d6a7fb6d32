-- reindex: yes
-- A memory may belong to a user: the name of an identity, or a channel id. Files are
-- read again, because an older index does not know what they declare.
ALTER TABLE memories ADD COLUMN user TEXT NOT NULL DEFAULT '';              -- '': everybody's
