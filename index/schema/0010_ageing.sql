-- reindex: no
-- What the ageing policy needs of each memory: since when it has its tier, and what
-- used it. A use counts for the policy only if the memory earned it.
ALTER TABLE memories ADD COLUMN observed_reason TEXT NOT NULL DEFAULT '';   -- why observed_tier, for a person
ALTER TABLE memories ADD COLUMN tier_since INTEGER;                         -- when tier last changed
ALTER TABLE memories ADD COLUMN tier_held_until INTEGER;                    -- a declared tier holds until then; NULL: not declared
ALTER TABLE memories ADD COLUMN injected_at INTEGER;                        -- the last injection that it owed to its similarity
ALTER TABLE memories ADD COLUMN requested_at INTEGER;                       -- the last time that a model asked for it with a tool
ALTER TABLE memories ADD COLUMN returned_at INTEGER;                        -- when injections alone last moved it from COLD to WARM
ALTER TABLE memories ADD COLUMN tier_uses INTEGER NOT NULL DEFAULT 0;       -- earned uses since tier_since …
ALTER TABLE memories ADD COLUMN tier_use_days INTEGER NOT NULL DEFAULT 0;   -- … their days …
ALTER TABLE memories ADD COLUMN tier_used_on TEXT NOT NULL DEFAULT '';      -- … and the last of these, YYYY-MM-DD

ALTER TABLE uses ADD COLUMN kind INTEGER NOT NULL DEFAULT 1;                -- 0 delivered only, 1 earned injection, 2 requested

-- Older databases do not know how a use came about. Each counts as an injection.
UPDATE memories SET injected_at = last_accessed_at, tier_since = coalesce(observed_tier_at, tier_seen_at, first_seen),
  tier_held_until = CASE WHEN declared_tier <> '' THEN tier_seen_at END;
