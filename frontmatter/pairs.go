package frontmatter

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
)

// identityKeys are the keys that say which memory a line is about, in their order.
var identityKeys = []string{"id", "path", "quote"}

// keyRank is the place of a key in a line as we write it; keys of others have
// none, which is -1.
func keyRank(key string) int {
	if i := slices.Index(identityKeys, key); i >= 0 {
		return i
	}
	i := slices.IndexFunc(fields, func(f field) bool { return f.key == key || f.alias != "" && f.alias == key })
	if i >= 0 {
		i += len(identityKeys)
	}
	return i
}

// editEntry is an item as the change leaves it: empty where nothing is left but a
// name.
func (e *editor) editEntry(c prepared, i int) (text, reason string) {
	it := e.items[i]
	if c.Remove {
		return "", ""
	}
	if it.node.Kind != yaml.MappingNode || len(it.node.Content) == 0 {
		return "", "a line about " + c.ID.Short() + " is no list of keys"
	}
	if it.node.Style&yaml.FlowStyle != 0 {
		f, ok := e.flowEntry(it)
		if !ok {
			return "", "the line about " + c.ID.Short() + " cannot be taken apart (a comment between its braces?)"
		}
		p := e.changePairs(c, i, f.pairs, func(key, value string, _ pair) string { return key + ": " + value })
		f.pairs = p.pairs
		return p.result(e.sourceOf(it), f.String), ""
	}
	b, ok := e.blockEntry(it, e.eol)
	if !ok {
		return "", "the lines about " + c.ID.Short() + " cannot be told apart"
	}
	p := e.changePairs(c, i, b.pairs, b.replacePair)
	b.pairs, b.trailingLines = p.pairs, p.trailingLines
	return p.result(e.sourceOf(it), b.String), ""
}

// changePairs gives the pairs of a line with those replaced, added and taken out
// that say something else than the change wants.
func (e *editor) changePairs(c prepared, i int, pairs []pair, renewed func(key, value string, old pair) string) pairEdit {
	had := e.parser.rawEntries[i]
	p := pairEdit{pairs: slices.Clone(pairs), replacePair: renewed}
	if had.IDPrefix != c.shortID {
		p.put("id", "", quoteYAML(c.shortID))
	}
	if e.decisionsFile && c.Path != "" && c.Path != had.Path {
		p.put("path", "", quoteYAML(c.Path))
	}
	if c.Quote != "" && c.Quote != had.Quote {
		p.put("quote", "", quoteYAML(c.Quote))
	}
	for _, f := range fields {
		was, is := f.write(had.Declared, e.zone), f.write(c.Declared, e.zone)
		if f.levels&entryLevel != 0 && was != is {
			p.put(f.key, f.alias, is)
		}
	}
	return p
}

type pairEdit struct {
	pairs         []pair
	replacePair   func(key, value string, old pair) string
	changed       bool
	trailingLines string // the lines above a pair that was the last
}

// result is the line as it stands where nothing changed, and nothing where only
// a name is left.
func (p pairEdit) result(source string, written func() string) string {
	switch {
	case !slices.ContainsFunc(p.pairs, func(q pair) bool { return !slices.Contains(identityKeys, q.key) }):
		return ""
	case !p.changed:
		return source
	}
	return written()
}

// put gives a key a value, under either of its names; an empty one takes it
// out. A key that stands twice stands once then.
func (p *pairEdit) put(key, other, value string) {
	p.changed = true
	first := slices.IndexFunc(p.pairs, func(q pair) bool { return q.key == key || other != "" && q.key == other })
	if first >= 0 && value != "" {
		q := &p.pairs[first]
		q.text = p.replacePair(q.key, value, *q)
		q.comment = ""
	}
	for i := len(p.pairs) - 1; i >= 0; i-- {
		same := p.pairs[i].key == key || other != "" && p.pairs[i].key == other
		if same && (value == "" || i != first) {
			p.remove(i)
		}
	}
	if first < 0 && value != "" {
		p.insert(key, value)
	}
}

// remove leaves the lines above a pair where they are.
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

// matchesChange says that a line names and says what a change asked for.
func (e *parser) matchesChange(had memory.Entry, c prepared) bool {
	if had.IDPrefix != c.shortID || c.Quote != "" && had.Quote != c.Quote || e.decisionsFile && c.Path != "" && had.Path != c.Path {
		return false
	}
	return !slices.ContainsFunc(fields, func(f field) bool {
		return f.levels&entryLevel != 0 && f.write(had.Declared, e.zone) != f.write(c.Declared, e.zone)
	})
}
