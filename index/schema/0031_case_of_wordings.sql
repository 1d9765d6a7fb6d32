-- reindex: no
-- Wordings of texts that differ in case are now the same for letters that several capitals
-- stand for (ß and SS), and for the Turkish i. 1 000 is also 1000. The program computes both
-- columns again where such a letter or number may be, also as an entity.
UPDATE memories SET wording = 0, bare = -1
	WHERE text GLOB '*[^' || char(1) || '-~]*' OR text GLOB '*[0-9] [0-9][0-9][0-9]*' OR text LIKE '%&%';
