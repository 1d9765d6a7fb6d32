package frontmatter

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/fields"
)

// pair is one key of an entry with its value, as it is written.
type pair struct{ key, value string }

// pairsOf returns the keys of an entry. Each value is on one line.
func pairsOf(n *yaml.Node) (pairs []pair) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		pairs = append(pairs, pair{n.Content[i].Value, onOneLine(n.Content[i+1])})
	}
	return pairs
}

// onOneLine writes a value between brackets. It keeps the quotation marks that it had.
func onOneLine(n *yaml.Node) string {
	var parts []string
	switch n.Kind {
	case yaml.MappingNode:
		return formatPairs(pairsOf(n))
	case yaml.SequenceNode:
		for _, item := range n.Content {
			parts = append(parts, onOneLine(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	switch {
	case n.Style&yaml.SingleQuotedStyle != 0 && !strings.Contains(n.Value, "\n"):
		return "'" + strings.ReplaceAll(n.Value, "'", "''") + "'"
	case n.Style != 0 || n.Tag == "!!str" && strings.ContainsAny(n.Value, "\n,[]{}#:"):
		return fields.QuoteYAML(n.Value)
	}
	return n.Value
}

func formatPairs(pairs []pair) string {
	var texts []string
	for _, p := range pairs {
		texts = append(texts, p.key+": "+p.value)
	}
	return "{" + strings.Join(texts, ", ") + "}"
}

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

// editEntry returns the new text of an entry, on one line. It is the text as it was if nothing
// changes, and "" if only its identity is left.
func (e *editor) editEntry(c prepared, i int) (text, reason string) {
	it, source := e.items[i], e.sourceOf(e.items[i])
	if c.Remove {
		return "", ""
	}
	if it.node.Kind != yaml.MappingNode || len(it.node.Content) == 0 {
		return "", "the entry of " + c.ID.Short() + " is not a list of keys"
	}
	pairs, changed := e.changePairs(c, i)
	switch comment, ok := commentBehind(it.node, source); {
	case !slices.ContainsFunc(pairs, func(p pair) bool { return !slices.Contains(fields.IdentityKeys, p.key) }):
		return "", ""
	case !changed:
		return source, ""
	case !ok:
		return "", "the entry of " + c.ID.Short() + " has a comment between its keys"
	default:
		return e.margin + "- " + formatPairs(pairs) + comment + source[len(strings.TrimRight(source, "\r\n")):], ""
	}
}

// commentBehind returns the comment at the end of an entry, with a blank. ok is false if the
// entry has another comment.
func commentBehind(n *yaml.Node, source string) (comment string, ok bool) {
	text := strings.TrimRight(source, "\r\n")
	other := fields.ContainsNode(n, func(n *yaml.Node) bool {
		for line := range strings.Lines(n.HeadComment + "\n" + n.LineComment + "\n" + n.FootComment) {
			line = strings.TrimSpace(line)
			switch {
			case line == "" || !strings.Contains(source, line):
			case strings.HasSuffix(text, "} "+line):
				comment = " " + line
			default:
				return true
			}
		}
		return false
	})
	return comment, !other
}

// changePairs replaces, adds and removes the pairs of an entry that differ from the change.
func (e *editor) changePairs(c prepared, i int) (pairs []pair, changed bool) {
	had := e.parser.rawEntries[i]
	pairs = pairsOf(e.items[i].node)
	put := func(f fields.Field, value string) { pairs, changed = putPair(pairs, f, value), true }
	if had.IDPrefix != c.shortID {
		put(fields.Field{Key: "id"}, fields.QuoteYAML(c.shortID))
	}
	if e.decisionsFile && c.Path != "" && c.Path != had.Path {
		put(fields.Field{Key: "path"}, fields.QuoteYAML(c.Path))
	}
	if c.Quote != "" && c.Quote != had.Quote {
		put(fields.Field{Key: "quote"}, fields.QuoteYAML(c.Quote))
	}
	for _, f := range fields.All {
		was, is := f.Write(had.Declared, e.zone), f.Write(c.Declared, e.zone)
		if f.Levels&fields.EntryLevel != 0 && was != is {
			put(f, is)
		}
	}
	return pairs, changed
}

// putPair sets the value of a field; an empty value removes it. Of a repeated key one remains.
func putPair(pairs []pair, f fields.Field, value string) (out []pair) {
	for _, p := range pairs {
		switch {
		case !f.HasKey(strings.TrimSpace(p.key)):
			out = append(out, p)
		case value != "":
			out = append(out, pair{p.key, value})
			value = ""
		}
	}
	if value == "" {
		return out
	}
	at := slices.IndexFunc(out, func(p pair) bool { return keyRank(p.key) > keyRank(f.Key) })
	if at < 0 {
		at = len(out)
	}
	return slices.Insert(out, at, pair{f.Key, value})
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

// editInline applies changes to a list between brackets. It first puts each
// entry on its own line.
func (e *editor) editInline(src []byte, todo []prepared, keepList bool) (after []byte, reason string) {
	text := string(slices.Concat(e.layout.lines[e.from:e.to]...))
	hasComment := func(n *yaml.Node) bool { return n.HeadComment+n.LineComment+n.FootComment != "" }
	if slices.ContainsFunc(e.list.Content, func(n *yaml.Node) bool { return fields.ContainsNode(n, hasComment) }) {
		return nil, "its list " + fields.MemoriesKey + " has a comment between its brackets"
	}
	lines := string(e.listHead())
	for _, entry := range e.list.Content {
		lines += e.margin + "- " + onOneLine(entry) + e.eol
	}
	at := e.bounds.start + len(slices.Concat(e.layout.lines[:e.from]...))
	unfolded := slices.Concat(src[:at], []byte(lines), src[at+len(text):])
	r := parse(unfolded, e.zone, e.decisionsFile)
	if l, why := findLayout(r.root, r.bounds.raw(unfolded)); why != "" || r.ReadOnlyReason != "" || l.inline {
		return nil, "its list " + fields.MemoriesKey + " cannot be split into lines"
	}
	if after, reason = applyChanges(unfolded, r, todo, keepList); slices.Equal(after, unfolded) {
		return src, reason
	}
	return after, reason
}
