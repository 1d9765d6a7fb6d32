package query

import (
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqldb"
)

// Row names the columns of the memories that a condition is about.
type Row struct{ prefix, forgotten, missing string }

// ViewRow is a row of the views visible and remembered.
var ViewRow = Row{"", "forgotten", "missing"}

// TableRow is a row of the table memories.
func TableRow(alias string) Row {
	return Row{alias + ".", alias + ".do_not_inject", "(" + alias + ".missing_since IS NOT NULL)"}
}

// hiddenBy has the condition of each rule, which is never NULL.
var hiddenBy = map[string]func(memory.View, Row) (string, []any){
	memory.ReasonForgotten:  func(_ memory.View, r Row) (string, []any) { return r.forgotten, nil },
	memory.ReasonMissing:    func(_ memory.View, r Row) (string, []any) { return r.missing, nil },
	memory.ReasonPrivate:    func(_ memory.View, r Row) (string, []any) { return r.prefix + "private", nil },
	memory.ReasonSource:     func(_ memory.View, r Row) (string, []any) { return r.prefix + "source_hidden <> ''", nil },
	memory.ReasonArchived:   func(_ memory.View, r Row) (string, []any) { return r.prefix + "tier = 'ARCHIVE'", nil },
	memory.ReasonTrust:      func(_ memory.View, r Row) (string, []any) { return r.prefix + "trust_tier = 'quarantined'", nil },
	memory.ReasonImportance: func(_ memory.View, r Row) (string, []any) { return r.prefix + "importance_label = 'ignore'", nil },
	memory.ReasonExpired: func(v memory.View, r Row) (string, []any) {
		if v.At().IsZero() { // whatever expires at all has expired
			return r.prefix + "expires_at IS NOT NULL", nil
		}
		return "coalesce(" + r.prefix + "expires_at <= ?, false)", []any{sqldb.ToMillis(v.At())}
	},
	memory.ReasonScope: func(v memory.View, r Row) (string, []any) {
		return r.prefix + "scope NOT IN ('', 'global', ?)", []any{string(v.Scope)}
	},
	memory.ReasonUser: func(v memory.View, r Row) (string, []any) {
		return r.prefix + "user NOT IN (SELECT value FROM json_each(?))", []any{sqldb.JSONList(v.Users)}
	},
}

// HiddenBy returns the condition that a row breaks one of some rules. Without rules it is
// false.
func HiddenBy(v memory.View, r Row, rules []string) (condition string, args []any) {
	conditions := []string{"false"}
	for _, reason := range rules {
		c, more := hiddenBy[reason](v, r)
		conditions, args = append(conditions, c), append(args, more...)
	}
	return strings.Join(conditions, " OR "), args
}

// BrokenRule returns the condition that a row breaks one rule. An index of that condition
// finds the rows.
func BrokenRule(v memory.View, r Row, reason string) (condition string, args []any) {
	return hiddenBy[reason](v, r)
}

// Superseded returns the condition that a memory that the view may get replaces a row of
// [ViewRow]. Without it, a request would get neither value.
func Superseded(v memory.View) (condition string, args []any) {
	hidden, args := HiddenBy(v, TableRow("n"), v.ReplacingRules())
	if !v.AsOf.IsZero() {
		hidden += " OR n.created_at > ?"
		args = append(args, sqldb.ToMillis(v.AsOf))
	}
	return `superseded_by IS NOT NULL AND EXISTS (
		WITH RECURSIVE successor(id, step) AS (
			SELECT superseded_by, 1
			UNION SELECT n.superseded_by, s.step + 1 FROM successor s JOIN memories n ON n.id = s.id
				WHERE n.superseded_by IS NOT NULL AND s.step < ?)
		SELECT 1 FROM successor s LEFT JOIN memories n ON n.id = s.id WHERE n.id IS NULL OR NOT (` + hidden + "))",
		append([]any{memory.MaxSuccessors}, args...)
}
