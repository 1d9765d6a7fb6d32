-- reindex: no
-- Files are read with more forms of dates in their names, with chunks for the rows of their
-- tables, and with more places where a comment or front matter protects a text. All are read again.
UPDATE files SET hash = zeroblob(32), stamp = '';
