-- reindex: no
-- Each row of a table is a chunk of its own. The files with tables are read again.
UPDATE files SET hash = zeroblob(32), stamp = '' WHERE path IN (SELECT path FROM places WHERE kind = 'table');
