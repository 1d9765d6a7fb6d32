-- Every memory with its place, or its last place.
CREATE VIEW remembered AS
SELECT m.id, m.text, m.tier, m.memory_type, m.category, m.scope, m.pinned,
       m.do_not_inject AS forgotten, m.missing_since IS NOT NULL AS missing, m.private,
       m.importance, m.importance_label, m.trust_tier, m.source, m.source_kind, m.source_ref, m.lang, m.tags,
       m.superseded_by, coalesce(p.path, m.last_path, '') AS path,
       coalesce(p.line_start, m.last_line_start) AS line_start, coalesce(p.line_end, m.last_line_end) AS line_end,
       coalesce(p.ordinal, m.last_ordinal) AS ordinal, coalesce(p.heading, m.last_heading) AS heading,
       m.created_at, m.edited_at, m.last_accessed_at, m.use_count, m.use_days, m.expires_at,
       m.tier_reason, m.fingerprint, m.missing_since
FROM memories m LEFT JOIN places p ON p.memory_id = m.id;

-- The memories that are present in Markdown now. Forgotten ones are included; every
-- query excludes them by the column, except on request. All answers read this view,
-- apart from requests for missing memories.
CREATE VIEW visible AS SELECT * FROM remembered WHERE missing_since IS NULL;
