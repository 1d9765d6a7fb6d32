package frontmatter

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/fields"
)

// keyRank returns the position of a key in an entry that this package writes,
// or -1 for a key of another program.
func keyRank(key string) int {
	if i := slices.Index(fields.IdentityKeys, key); i >= 0 {
		return i
	}
	i := slices.IndexFunc(fields.All, func(f fields.Field) bool { return f.HasKey(key) })
	if i >= 0 {
		i += len(fields.IdentityKeys)
	}
	return i
}

// editEntry returns the new text of an entry, or "" if only its identity is
// left.
func (e *editor) editEntry(c prepared, i int) (text, reason string) {
	it := e.items[i]
	if c.Remove {
		return "", ""
	}
	if it.node.Kind != yaml.MappingNode || len(it.node.Content) == 0 {
		return "", "the entry of " + c.ID.Short() + " is not a list of keys"
	}
	if it.node.Style&yaml.FlowStyle != 0 {
		f, ok := e.flowEntry(it)
		if !ok {
			return "", "the entry of " + c.ID.Short() + " cannot be split (perhaps there is a comment between its braces)"
		}
		p := e.changePairs(c, i, f.pairs, func(key, value string, _ pair) string { return key + ": " + value })
		f.pairs = p.pairs
		return p.result(e.sourceOf(it), f.String), ""
	}
	b, ok := e.blockEntry(it, e.eol)
	if !ok {
		return "", "the keys of the entry of " + c.ID.Short() + " cannot be separated"
	}
	p := e.changePairs(c, i, b.pairs, b.replacePair)
	b.pairs, b.trailingLines = p.pairs, p.trailingLines
	return p.result(e.sourceOf(it), b.String), ""
}

// changePairs replaces, adds and removes the pairs of an entry that differ from
// the change.
func (e *editor) changePairs(c prepared, i int, pairs []pair, renewed func(key, value string, old pair) string) pairEdit {
	had := e.parser.rawEntries[i]
	p := pairEdit{pairs: slices.Clone(pairs), replacePair: renewed}
	if had.IDPrefix != c.shortID {
		p.put("id", "", fields.QuoteYAML(c.shortID))
	}
	if e.decisionsFile && c.Path != "" && c.Path != had.Path {
		p.put("path", "", fields.QuoteYAML(c.Path))
	}
	if c.Quote != "" && c.Quote != had.Quote {
		p.put("quote", "", fields.QuoteYAML(c.Quote))
	}
	for _, f := range fields.All {
		was, is := f.Write(had.Declared, e.zone), f.Write(c.Declared, e.zone)
		if f.Levels&fields.EntryLevel != 0 && was != is {
			p.put(f.Key, f.Alias, is)
		}
	}
	return p
}

type pairEdit struct {
	pairs         []pair
	replacePair   func(key, value string, old pair) string
	changed       bool
	trailingLines string // the lines above a removed last pair
}

// result returns the source if nothing changed, and "" if only the identity is
// left.
func (p pairEdit) result(source string, written func() string) string {
	switch {
	case !slices.ContainsFunc(p.pairs, func(q pair) bool { return !slices.Contains(fields.IdentityKeys, q.key) }):
		return ""
	case !p.changed:
		return source
	}
	return written()
}

// put sets the value of a key or its alias; an empty value removes it. Of a
// repeated key one remains.
func (p *pairEdit) put(key, other, value string) {
	p.changed = true
	first := slices.IndexFunc(p.pairs, func(q pair) bool { return isKey(q.key, key, other) })
	if first >= 0 && value != "" {
		q := &p.pairs[first]
		q.text = p.replacePair(q.key, value, *q)
		q.comment = ""
	}
	for i := len(p.pairs) - 1; i >= 0; i-- {
		if isKey(p.pairs[i].key, key, other) && (value == "" || i != first) {
			p.remove(i)
		}
	}
	if first < 0 && value != "" {
		p.insert(key, value)
	}
}

// isKey reports whether a written key is key or its alias, in any case.
func isKey(written, key, alias string) bool {
	written = strings.TrimSpace(written)
	return strings.EqualFold(written, key) || alias != "" && strings.EqualFold(written, alias)
}

// remove deletes a pair but keeps the lines above it.
func (p *pairEdit) remove(i int) {
	if i+1 < len(p.pairs) {
		p.pairs[i+1].linesAbove = p.pairs[i].linesAbove + p.pairs[i+1].linesAbove
	} else {
		p.trailingLines = p.pairs[i].linesAbove + p.trailingLines
	}
	p.pairs = slices.Delete(p.pairs, i, i+1)
}

func (p *pairEdit) insert(key, value string) {
	at := slices.IndexFunc(p.pairs, func(q pair) bool { return keyRank(q.key) > keyRank(key) })
	if at < 0 {
		at = len(p.pairs)
	}
	p.pairs = slices.Insert(p.pairs, at, pair{key: key, text: p.replacePair(key, value, pair{})})
}

// matchesChange reports whether an entry has the content of a change.
func (e *parser) matchesChange(had memory.Entry, c prepared) bool {
	if had.IDPrefix != "" && had.IDPrefix != c.shortID || c.Quote != "" && had.Quote != c.Quote || e.decisionsFile && c.Path != "" && had.Path != c.Path {
		return false
	}
	return !slices.ContainsFunc(fields.All, func(f fields.Field) bool {
		return f.Levels&fields.EntryLevel != 0 && f.Write(had.Declared, e.zone) != f.Write(c.Declared, e.zone)
	})
}
