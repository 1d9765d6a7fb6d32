-- reindex: no
-- The names of daily notes have more forms, such as 20261120.md, 2026_11_20.md,
-- 2026.11.20.md and 2026/11/20.md. The files with such names are read again.
UPDATE files SET hash = zeroblob(32), stamp = ''
WHERE path GLOB '*[12][09][0-9][0-9][01][0-9][0-3][0-9]*'
   OR path GLOB '*[12][09][0-9][0-9][_.][01][0-9][_.][0-3][0-9]*'
   OR path GLOB '*[12][09][0-9][0-9][/-][01][0-9]/[0-3][0-9].*';
