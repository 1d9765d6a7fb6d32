package query

import (
	"database/sql/driver"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/index/sqldb"
	"github.com/memory-tiered/memory/internal/glob"
)

// sqlFilter is a predicate as conditions on a view of memories.
type sqlFilter struct {
	view       string // visible, or remembered if missing memories are wanted
	conditions []string
	args       []any
}

func (f *sqlFilter) add(condition string, args ...any) {
	f.conditions = append(f.conditions, condition)
	f.args = append(f.args, args...)
}

// and returns the conditions for a WHERE clause that has one already.
func (f *sqlFilter) and() string {
	var b strings.Builder
	for _, c := range f.conditions {
		b.WriteString(" AND (" + c + ")")
	}
	return b.String()
}

// ids returns a SELECT of the memories that pass.
func (f *sqlFilter) ids() string { return "SELECT id FROM " + f.view + " WHERE true" + f.and() }

// compile writes a predicate in SQL. [search.Index.Compile] has to pass the same
// memories.
func compile(p memory.Predicate) *sqlFilter {
	f := &sqlFilter{view: "visible"}
	if p.Missing != memory.Exclude {
		f.view = "remembered"
	}
	f.addInclusion("missing", p.Missing)
	f.addInclusion("forgotten", p.Forgotten)
	if p.Forgotten == memory.Exclude {
		f.add("source_hidden = ''")
	}
	if len(p.IDs) > 0 {
		f.add("id IN (SELECT value FROM json_each(?))", sqldb.JSONList(p.IDs))
	}
	f.addAttributes(p)
	f.addTimes(p)
	if p.Pinned {
		f.add("pinned")
	}
	if p.TextOnly {
		f.add("ordinal <> ?", memory.PropertiesOrdinal)
	}
	f.addView(p.View)
	return f
}

func (f *sqlFilter) addInclusion(column string, i memory.Inclusion) {
	switch i {
	case memory.Exclude:
		f.add("NOT " + column)
	case memory.Only:
		f.add(column)
	}
}

// addAttributes adds the conditions on words. A predicate that names ARCHIVE includes
// it.
func (f *sqlFilter) addAttributes(p memory.Predicate) {
	switch {
	case p.Tier != "":
		f.add("tier = ?", string(p.Tier))
	case !p.Archive:
		f.add("tier <> 'ARCHIVE'")
	}
	if p.Type != "" {
		f.add("memory_type = ?", string(p.Type))
	}
	if p.Category != "" {
		f.add("category = ?", string(p.Category))
	}
	if p.Tag != "" {
		f.add("EXISTS (SELECT 1 FROM json_each(tags) t WHERE lower(t.value) = lower(?))", strings.TrimPrefix(p.Tag, "#"))
	}
	if p.Path != "" {
		f.add("path_matches(?, path)", p.Path)
	}
	f.addOrigin(p)
}

// addOrigin adds the conditions on where a memory came from. Markdown tells the session of a
// captured one, and a receipt that of one that a tool stored.
func (f *sqlFilter) addOrigin(p memory.Predicate) {
	if p.Source != "" {
		f.add("source = ?", string(p.Source))
	}
	if p.Owners != nil {
		f.add("user IN (SELECT value FROM json_each(?))", sqldb.JSONList(p.Owners))
	}
	if p.Origin != "" {
		f.add(`is_of_session(?, substr(source_ref, 1, instr(source_ref || ' ', ' ') - 1)) OR id IN (SELECT i.value FROM receipts r, json_each(r.body, '$.ids') i
			WHERE r.kind = ? AND is_of_session(?, r.session) AND CAST(json_extract(r.body, '$.counts.stored') AS INTEGER) = 1)`, chunker.RefName(p.Origin), memory.ReceiptStore, p.Origin)
	}
}

func (f *sqlFilter) addTimes(p memory.Predicate) {
	if !p.Since.IsZero() {
		f.add("created_at >= ?", sqldb.ToMillis(p.Since))
	}
	if !p.Until.IsZero() {
		f.add("created_at < ?", sqldb.ToMillis(p.Until))
	}
	if !p.AsOf.IsZero() {
		f.add("created_at <= ?", sqldb.ToMillis(p.AsOf))
	}
	if !p.ExpiredBy.IsZero() {
		f.add("expires_at <= ?", sqldb.ToMillis(p.ExpiredBy))
	}
	if !p.UnusedFrom.IsZero() {
		f.addUnused(p)
	}
}

// addUnused passes what was neither written nor used after a time, by this user if there is one.
func (f *sqlFilter) addUnused(p memory.Predicate) {
	last, args := "coalesce(last_accessed_at, 0)", []any{}
	if p.Users != nil {
		last, args = "(SELECT coalesce(max(u.at), 0) "+ownUses+")", []any{sqldb.JSONList(memory.OwnNames(p.Users))}
	}
	f.add("max(created_at, coalesce(edited_at, 0), "+last+") <= ?", append(args, sqldb.ToMillis(p.UnusedFrom))...)
}

// addView passes only what the view shows.
func (f *sqlFilter) addView(v memory.View) {
	hidden, args := HiddenBy(v, ViewRow, v.Rules())
	f.add("NOT ("+hidden+")", args...)
	if v.Model {
		replaced, args := Superseded(v)
		f.add("NOT ("+replaced+")", args...)
	}
}

// Functions are the SQL functions that queries need: path_matches(pattern, path) instead of
// GLOB, whose '*' does not stop at '/', and is_of_session(name, key).
var Functions = []sqldb.Function{
	{Name: "path_matches", Args: 2, Call: func(args []driver.Value) (driver.Value, error) {
		pattern, path := twoTexts(args)
		return glob.Compile(pattern).Match(path), nil
	}},
	{Name: "is_of_session", Args: 2, Call: func(args []driver.Value) (driver.Value, error) {
		return isOfSession(twoTexts(args)), nil
	}},
}

func twoTexts(args []driver.Value) (a, b string) {
	a, _ = args[0].(string)
	b, _ = args[1].(string)
	return a, b
}

// isOfSession reports whether a person's name of a session means the one with a key. The key is
// the name, or client/name/agent if a hook made it. A client's name alone means no session.
func isOfSession(name, key string) bool {
	name, key = strings.TrimRight(name, "/"), strings.TrimRight(key, "/")
	client, rest, _ := strings.Cut(key, "/")
	begins := func(key, name string) bool { return name != "" && strings.HasPrefix(key+"/", name+"/") }
	return name != "" && (name == key || begins(rest, name) || name != client && begins(key, name))
}
