-- Every memory with its place, or its last place. A successor that is in no file
-- supersedes nothing: what it replaced is then superseded by its own successor, or by
-- none. A successor that is not known may be in a file that is indexed later. Links
-- that lead back to the memory have no effect.
CREATE VIEW remembered AS
SELECT m.id, m.text, m.tier, m.memory_type, m.category, m.scope, m.user, m.pinned,
       m.do_not_inject AS forgotten, m.missing_since IS NOT NULL AS missing, m.private,
       m.importance, m.importance_label, m.trust_tier, m.source, m.source_kind, m.source_ref, m.source_hidden, m.lang, m.tags,
       coalesce(m.entity_refs, '[]') AS entities,
       CASE WHEN m.superseded_by IS NOT NULL AND NOT EXISTS (
         WITH RECURSIVE successor(id, step) AS (
           SELECT m.superseded_by, 1
           UNION SELECT n.superseded_by, s.step + 1 FROM successor s JOIN memories n ON n.id = s.id
             WHERE n.superseded_by IS NOT NULL AND s.id <> m.id AND s.step < 50)
         SELECT 1 FROM successor s WHERE s.id = m.id)
       THEN (
         WITH RECURSIVE successor(id, step) AS (
           SELECT m.superseded_by, 1
           UNION SELECT n.superseded_by, s.step + 1 FROM successor s JOIN memories n ON n.id = s.id
             WHERE n.missing_since IS NOT NULL AND n.superseded_by IS NOT NULL AND n.superseded_by <> m.id AND s.step < 50)
         SELECT s.id FROM successor s LEFT JOIN memories n ON n.id = s.id WHERE n.missing_since IS NULL ORDER BY s.step LIMIT 1)
       END AS superseded_by, coalesce(p.path, m.last_path, '') AS path,
       coalesce(p.line_start, m.last_line_start) AS line_start, coalesce(p.line_end, m.last_line_end) AS line_end,
       coalesce(p.ordinal, m.last_ordinal) AS ordinal, coalesce(p.heading, m.last_heading) AS heading,
       m.created_at, m.edited_at, m.last_accessed_at, m.use_count, m.use_days, m.expires_at,
       m.tier_reason, m.fingerprint, m.missing_since
FROM memories m LEFT JOIN places p ON p.memory_id = m.id;

-- The memories that are present in Markdown now. Forgotten ones are included; every
-- query excludes them by the column, except on request. All answers read this view,
-- apart from requests for missing memories.
CREATE VIEW visible AS SELECT * FROM remembered WHERE missing_since IS NULL;
