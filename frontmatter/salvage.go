package frontmatter

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/fields"
	"github.com/memory-tiered/memory/frontmatter/protecting"
	"github.com/memory-tiered/memory/internal/lazyregexp"
)

var (
	// itemStart matches the first line of an entry in YAML, TOML or JSON.
	itemStart = lazyregexp.New(`^[ \t]*(?:-(?:[ \t\r\n]|$)|\{|\[\[)`)
	// mapping matches an entry on one line, perhaps behind a list mark.
	mapping = lazyregexp.New(`^[-*+> \t]*(\{[^\n]*\})[ \t]*,?[ \t]*(?:#.*)?\r?\n?$`)

	idValue    = lazyregexp.New(`(?i)\bid["']?[ \t]*[:=]?[ \t]*["']?([0-9a-f][0-9a-f-]{3,35})\b`)
	quoteValue = lazyregexp.New(`(?i)\bquote["']?[ \t]*[:=]?[ \t]*(\S.*)`)
	closedText = lazyregexp.New(`^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')`)
	// nextKey matches where the value before it ends, if it has no closing
	// quotation mark.
	nextKey = lazyregexp.New(`["']?[ \t]*,?[ \t]*["']?\b(?:id|path|pinned|forg\w+|only|tier|since|private|trust)["']?[ \t]*[:=]`)
)

// readLoose reads an entry where front matter cannot be read as a whole. One with a mistake
// that protects counts as forgotten. It reports whether there is an entry.
func (r *parser) readLoose(text []byte, line int) (exact, ok bool) {
	e, exact := r.exactEntry(text)
	if !exact {
		e = looseEntry(text)
	}
	if !exact && (len(protecting.InHead(text, true)) == 0 || e.Quote == "" && e.IDPrefix == "") {
		return false, false
	}
	if e.Line = line; !exact && r.decisionsFile {
		e.Unread = string(text)
	}
	r.rawEntries = append(r.rawEntries, e)
	return exact, true
}

// exactEntry reads an entry on one line that has no mistake.
func (r *parser) exactEntry(text []byte) (e memory.Entry, ok bool) {
	m := mapping().FindSubmatch(text)
	if m == nil {
		return e, false
	}
	t := fields.Decode(fields.YAML, m[1])
	if t.Err != nil || t.Root == nil || t.Root.Kind != yaml.MappingNode {
		return e, false
	}
	one := &parser{zone: r.zone, decisionsFile: r.decisionsFile}
	one.bounds.firstLine, one.lastLine = 1, 1
	e = one.readEntry(t.Root)
	return e, e.Line > 0 && len(one.Faults) == 0
}

// readUnread reads the entries that protect of front matter that cannot be read as a whole.
func (r *parser) readUnread(raw []byte) {
	known := map[int]bool{}
	for _, e := range r.rawEntries {
		known[e.Line] = true
	}
	inList := r.decisionsFile
	for _, g := range splitItems(raw) {
		inItem := g.text
		if !inList {
			inItem, inList = afterListKey(g.text)
		}
		line := r.bounds.firstLine + g.line - 1
		if known[line] {
			continue
		}
		exact, ok := r.readLoose(g.text, line)
		if !ok && inList {
			r.withholdLine(string(inItem), line)
		}
		if ok && !exact {
			r.addFault(min(line, r.lastLine), "this line cannot be read; until you correct it, its memory counts as forgotten")
		}
		if ok && r.ReadOnlyReason == "" {
			r.ReadOnlyReason = "one of its entries cannot be read"
		}
	}
	r.Entries = r.mergeDuplicates(slices.Concat(r.rawEntries, r.unlisted))
}

// afterListKey returns what is behind the key of the list of entries, on its line and below it.
func afterListKey(raw []byte) (rest []byte, found bool) {
	at := 0
	for line := range bytes.Lines(raw) {
		trimmed := bytes.TrimLeft(line, " \t{\ufeff\"'")
		if at += len(line); len(trimmed) < len(fields.MemoriesKey) || !bytes.EqualFold(trimmed[:len(fields.MemoriesKey)], []byte(fields.MemoriesKey)) {
			continue
		}
		value := bytes.TrimLeft(trimmed[len(fields.MemoriesKey):], "\"' \t\r\n")
		if len(value) == 0 || value[0] == ':' || value[0] == '=' {
			return raw[at-len(value):], true
		}
	}
	return nil, false
}

// readConflict adds the entries of both sides of a merge conflict that protect a
// memory. They may be anywhere in the file, because the delimiters may be in the
// conflict too.
func (r *parser) readConflict(src []byte) {
	for _, g := range splitItems(src) {
		if _, ok := r.readLoose(g.text, g.line); !ok {
			r.withholdLine(string(g.text), g.line)
		}
	}
	faults := r.Faults
	r.Entries = r.mergeDuplicates(slices.Concat(r.rawEntries, r.unlisted))
	r.Faults = faults // the conflict is the fault
}

// itemText is the text of an entry that may be invalid, without comment lines.
type itemText struct {
	line int // of its first line, 1-based
	text []byte
}

// splitItems splits lines where an entry begins. The lines above the first entry
// are an item too.
func splitItems(raw []byte) []itemText {
	items := []itemText{{line: 1}}
	n := 0
	for line := range bytes.Lines(raw) {
		n++
		if trimmed := bytes.TrimSpace(line); len(trimmed) > 0 && trimmed[0] == '#' {
			continue
		}
		if itemStart().Match(line) {
			items = append(items, itemText{line: n})
		}
		last := &items[len(items)-1]
		last.text = append(last.text, line...)
	}
	return items
}

// looseEntry reads the id and the quote of an entry that no decoder accepts. It counts as
// forgotten.
func looseEntry(text []byte) (e memory.Entry) {
	yes := true
	e.Declared.Forgotten = &yes
	if m := idValue().FindSubmatch(text); m != nil {
		e.IDPrefix = strings.ToLower(strings.ReplaceAll(string(m[1]), "-", ""))
	}
	if m := quoteValue().FindSubmatch(text); m != nil {
		e.Quote = fields.FoldSpaces(looseText(bytes.TrimSpace(m[1])))
	}
	return e
}

// looseText returns the text at the start of a value: to its closing quotation
// mark, else to the next key.
func looseText(value []byte) string {
	if closed := closedText().Find(value); closed != nil {
		if t := fields.Decode(fields.YAML, closed); t.Err == nil && t.Root != nil && t.Root.Kind == yaml.ScalarNode {
			return t.Root.Value
		}
		return string(bytes.Trim(closed, `"'`))
	}
	if at := nextKey().FindIndex(value); at != nil {
		value = value[:at[0]]
	}
	return strings.Trim(string(value), " \t\"',{}[]")
}

// ProtectingEntries returns the entries that protect a memory.
func (m Parsed) ProtectingEntries() []memory.Entry {
	return slices.DeleteFunc(slices.Clone(m.Entries), func(e memory.Entry) bool { return !protecting.Protects(e.Declared) })
}
