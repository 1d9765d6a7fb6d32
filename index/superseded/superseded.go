// Package superseded tells in SQL which memories another one replaces for a request.
package superseded

import (
	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// By returns the condition that a memory that the request may get replaces a row of a view.
// The in-memory index has the same rule. Without it, a request would get neither value. A
// successor that is not known may be in a file that is indexed later. One in ARCHIVE has
// merely aged.
func By(p memory.Predicate) (condition string, args []any) {
	now := p.Now
	if !p.AsOf.IsZero() {
		now = p.AsOf
	}
	successor := `n.missing_since IS NULL AND NOT n.do_not_inject AND NOT n.private AND n.trust_tier <> 'quarantined'
		AND n.importance_label <> 'ignore' AND (n.expires_at IS NULL OR n.expires_at > ?)`
	args = []any{sqlite.ToMillis(now)}
	if len(p.Users) > 0 {
		successor += " AND n.user IN (SELECT value FROM json_each(?))"
		args = append(args, sqlite.JSONList(p.Users))
	}
	if p.Scope != "" {
		successor += " AND n.scope IN ('', 'global', ?)"
		args = append(args, string(p.Scope))
	}
	if !p.AsOf.IsZero() {
		successor += " AND n.created_at <= ?"
		args = append(args, sqlite.ToMillis(p.AsOf))
	}
	return `superseded_by IS NOT NULL AND EXISTS (
		WITH RECURSIVE successor(id, step) AS (
			SELECT superseded_by, 1
			UNION SELECT n.superseded_by, s.step + 1 FROM successor s JOIN memories n ON n.id = s.id
				WHERE n.superseded_by IS NOT NULL AND s.step < 50)
		SELECT 1 FROM successor s LEFT JOIN memories n ON n.id = s.id WHERE n.id IS NULL OR ` + successor + ")", args
}
