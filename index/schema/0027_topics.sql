-- reindex: yes
-- The vector of a note contains the topics of its headings. Until such a vector is made,
-- that of the text alone serves: plain is 1.
ALTER TABLE embeddings ADD COLUMN plain INTEGER NOT NULL DEFAULT 0;
