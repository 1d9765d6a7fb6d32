package index

import (
	"database/sql/driver"
	"regexp"
	"strings"
	"sync"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index/sqlite"
)

// sqlFilter is a predicate as conditions on the view of what is visible.
type sqlFilter struct {
	view  string // visible, or remembered where missing ones are wanted
	where []string
	args  []any
}

func (f *sqlFilter) add(condition string, args ...any) {
	f.where = append(f.where, condition)
	f.args = append(f.args, args...)
}

// and is the conditions, for a WHERE that has one already.
func (f *sqlFilter) and() string {
	var b strings.Builder
	for _, c := range f.where {
		b.WriteString(" AND (" + c + ")")
	}
	return b.String()
}

// newFilter writes a predicate.
func newFilter(p memory.Predicate) *sqlFilter {
	f := &sqlFilter{view: "visible"}
	if p.Missing != memory.Exclude {
		f.view = "remembered"
	}
	f.inclusion("missing", p.Missing)
	f.inclusion("forgotten", p.Forgotten)
	if len(p.IDs) > 0 {
		f.add("id IN (SELECT value FROM json_each(?))", list(p.IDs))
	}
	f.words(p)
	f.times(p)
	if p.Pinned {
		f.add("pinned")
	}
	if p.Injectable {
		f.inject(p)
	}
	return f
}

func (f *sqlFilter) inclusion(column string, i memory.Inclusion) {
	switch i {
	case memory.Exclude:
		f.add("NOT " + column)
	case memory.Only:
		f.add(column)
	}
}

// words are the filters by a word. Asking for ARCHIVE by name lets it in.
func (f *sqlFilter) words(p memory.Predicate) {
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
	if p.Scope != "" {
		f.add("scope IN ('', 'global', ?)", string(p.Scope))
	}
	if p.Tag != "" {
		f.add("EXISTS (SELECT 1 FROM json_each(tags) t WHERE lower(t.value) = lower(?))", strings.TrimPrefix(p.Tag, "#"))
	}
	if p.Path != "" {
		f.add("path_matches(?, path)", p.Path)
	}
}

func (f *sqlFilter) times(p memory.Predicate) {
	if !p.Since.IsZero() {
		f.add("created_at >= ?", toMillis(p.Since))
	}
	if !p.Until.IsZero() {
		f.add("created_at < ?", toMillis(p.Until))
	}
	if !p.AsOf.IsZero() {
		f.add("created_at <= ?", toMillis(p.AsOf))
	}
}

// inject leaves what may be put before a model, whatever else was asked for.
func (f *sqlFilter) inject(p memory.Predicate) {
	now := p.Now
	if !p.AsOf.IsZero() {
		now = p.AsOf
	}
	f.add("NOT missing AND NOT forgotten AND NOT private AND tier <> 'ARCHIVE'")
	f.add("trust_tier <> 'quarantined' AND importance_label <> 'ignore' AND superseded_by IS NULL")
	f.add("expires_at IS NULL OR expires_at > ?", toMillis(now)) // NULL without a time: whatever expires is left out
}

// globCache keeps compiled path patterns. They come from people, so there are few;
// past maxGlobs the cache starts anew.
var globCache struct {
	sync.Mutex
	compiled map[string]*regexp.Regexp
}

const maxGlobs = 128

// functions are what SQLite's GLOB cannot do: a '*' that stops at '/'.
var functions = []sqlite.Function{{Name: "path_matches", Args: 2, Call: func(args []driver.Value) (driver.Value, error) {
	pattern, _ := args[0].(string)
	path, _ := args[1].(string)
	return MatchPath(pattern, path), nil
}}}

// MatchPath says whether a path is meant by a pattern: the same path, a folder
// that it lies in, or a glob: '*' and '?' stop at '/', '**' does not, and
// '**/' also stands for nothing.
func MatchPath(pattern, path string) bool {
	pattern = strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")
	if path == pattern || strings.HasPrefix(path, pattern+"/") {
		return true
	}
	if !strings.ContainsAny(pattern, "*?[") {
		return false
	}
	globCache.Lock()
	defer globCache.Unlock()
	re, ok := globCache.compiled[pattern]
	if !ok {
		re = compileGlob(pattern)
		if globCache.compiled == nil || len(globCache.compiled) >= maxGlobs {
			globCache.compiled = map[string]*regexp.Regexp{}
		}
		globCache.compiled[pattern] = re
	}
	return re != nil && re.MatchString(path)
}

// globParts cuts a pattern into what has a meaning of its own.
var globParts = regexp.MustCompile(`\*\*/|\*\*|\*|\?|\[[!^]?[^\]/]+\]|[^*?\[]+|\[`)

// compileGlob gives nil for a pattern that means nothing, as "[z-a]".
func compileGlob(pattern string) *regexp.Regexp {
	var b strings.Builder
	for _, part := range globParts.FindAllString(pattern, -1) {
		switch {
		case part == "**/":
			b.WriteString("(?:.*/)?")
		case part == "**":
			b.WriteString(".*")
		case part == "*":
			b.WriteString("[^/]*")
		case part == "?":
			b.WriteString("[^/]")
		case len(part) > 2 && part[0] == '[':
			b.WriteString("[" + classOf(part[1:len(part)-1]) + "]")
		default:
			b.WriteString(regexp.QuoteMeta(part))
		}
	}
	re, err := regexp.Compile(`\A(?s:` + b.String() + `)\z`)
	if err != nil {
		return nil
	}
	return re
}

// classOf writes the inside of a bracket expression for a regular expression.
func classOf(class string) string {
	not := ""
	if class[0] == '!' || class[0] == '^' {
		not, class = "^", class[1:]
	}
	return not + strings.NewReplacer(`\`, `\\`, `[`, `\[`, `^`, `\^`, `&`, `\&`).Replace(class)
}
