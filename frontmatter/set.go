package frontmatter

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/fields"
)

// Set applies changes to the entries of a file and returns the new file. Bytes
// on other lines stay as they are. New entries get one line each, in the order
// of ids. A file without front matter gets some, and loses it with the last
// entry if nothing else is in it. Dates are written in zone; nil is UTC.
//
// Set refuses a file if it cannot be sure that the rest keeps its meaning. The
// error then wraps [memory.ErrConflict].
func Set(src []byte, zone *time.Location, changes []Change) ([]byte, error) {
	return set(src, zone, changes, false)
}

// SetDecisions is [Set] for a decisions file.
func SetDecisions(src []byte, zone *time.Location, changes []Change) ([]byte, error) {
	return set(src, zone, changes, true)
}

func set(src []byte, zone *time.Location, changes []Change, decisionsFile bool) ([]byte, error) {
	before := parse(src, zone, decisionsFile)
	todo, err := prepare(changes, before.zone)
	if err != nil {
		return nil, err
	}
	if before.ReadOnlyReason != "" {
		return nil, refusal(before.ReadOnlyReason, before.Faults)
	}
	for i, lines := range matchEntries(before.rawEntries, todo) {
		if c := todo[i]; len(lines) == 0 && c.hasContent && c.Quote == "" {
			return nil, memory.Invalid("quote", "change entry of %s: a new entry needs a quote", c.ID.Short())
		}
	}
	reason := ""
	for _, keepList := range []bool{false, true} {
		// Without the emptied list, the text below it may get another meaning.
		// Then the list stays, empty.
		after, why := applyChanges(src, before, todo, keepList)
		if why == "" {
			why = verify(src, before, after, todo, withoutPrevious(todo))
		}
		if why == "" {
			return after, nil
		}
		reason = cmp.Or(reason, why)
	}
	return nil, refusal(reason, nil)
}

func refusal(reason string, faults []memory.Fault) error {
	e := memory.Conflict("front matter cannot be edited: %s", reason)
	if len(faults) > 0 {
		return e.WithHint("correct line %d and try again: %s", faults[0].Line, faults[0].Message)
	}
	return e.WithHint("rewrite it as plain YAML between two lines ---, with one line per decision")
}

// editor collects the changes to the lines of front matter.
type editor struct {
	layout
	*parser
	eol          string
	replaced     map[int]string     // item → its new text; empty: removed
	removedCount int                // number of removed items
	added        map[int][]newEntry // source line → new entries before it
}

type newEntry struct{ id, text string }

// applyChanges returns the file with the changes, or src if nothing changes.
func applyChanges(src []byte, r *parser, todo []prepared, keepList bool) (after []byte, reason string) {
	e := editor{parser: r, eol: lineEnd(src), replaced: map[int]string{}, added: map[int][]newEntry{}}
	if e.layout, reason = findLayout(r.root, r.bounds.raw(src)); reason != "" {
		return nil, reason
	}
	if e.inline {
		return e.editInline(src, todo, keepList)
	}
	for i, lines := range matchEntries(r.rawEntries, todo) {
		if reason := e.planChange(todo[i], lines); reason != "" {
			return nil, reason
		}
	}
	if len(e.replaced) == 0 && len(e.added) == 0 {
		return src, ""
	}
	return e.rebuild(src, keepList), ""
}

// planChange plans the change of one memory's entries: the first one is edited,
// duplicates are removed.
func (e *editor) planChange(c prepared, lines []int) (reason string) {
	if len(lines) == 0 {
		if !c.hasContent {
			return ""
		}
		at := e.insertPosition(c.shortID)
		e.added[at] = append(e.added[at], newEntry{c.shortID, e.margin + "- " + e.newEntryText(c) + e.eol})
		return ""
	}
	text, reason := e.editEntry(c, lines[0])
	if reason != "" {
		return reason
	}
	e.replace(lines[0], text)
	for _, i := range lines[1:] {
		e.replace(i, "")
	}
	return ""
}

func (e *editor) replace(i int, text string) {
	if text == e.sourceOf(e.items[i]) {
		return
	}
	e.replaced[i] = text
	if text == "" {
		e.removedCount++
	}
}

// sourceOf returns the text of an item.
func (l *layout) sourceOf(it item) string { return string(bytes.Join(l.lines[it.from:it.to], nil)) }

// insertPosition returns the line before which a new entry goes. That is after
// the last item with a smaller id, so that a comment stays above its entry.
func (e *editor) insertPosition(id string) int {
	if e.key == nil {
		return len(e.layout.lines)
	}
	behind := e.from + 1
	for i, it := range e.items {
		if e.parser.rawEntries[i].IDPrefix > id {
			if i == 0 {
				return it.from
			}
			return behind
		}
		behind = it.to
	}
	return behind
}

// newEntryText formats an entry, starting at its brace.
func (e *editor) newEntryText(c prepared) string {
	texts := []string{"id: " + fields.QuoteYAML(c.shortID)}
	if e.decisionsFile && c.Path != "" {
		texts = append(texts, "path: "+fields.QuoteYAML(c.Path))
	}
	texts = append(texts, "quote: "+fields.QuoteYAML(c.Quote))
	for _, f := range fields.All {
		if v := f.Write(c.Declared, e.zone); v != "" && f.Levels&fields.EntryLevel != 0 {
			texts = append(texts, f.Key+": "+v)
		}
	}
	return "{" + strings.Join(texts, ", ") + "}"
}

// rebuild assembles the new file.
func (e *editor) rebuild(src []byte, keepList bool) []byte {
	list := e.rebuildList()
	if e.key != nil && len(e.added) == 0 && e.removedCount == len(e.items) {
		list = e.emptyList(list, keepList)
	}
	all := slices.Clone(e.layout.lines[:e.from])
	if n := len(all); n > 0 && len(list) > 0 && !bytes.HasSuffix(all[n-1], []byte("\n")) {
		all[n-1] = slices.Concat(all[n-1], []byte(e.eol))
	}
	raw := slices.Concat(bytes.Join(all, nil), list, bytes.Join(e.layout.lines[e.to:], nil))
	bom := len(byteOrderMark(src))
	switch {
	case e.decisionsFile:
		return slices.Concat(src[:bom], raw)
	case e.Format == fields.None:
		return slices.Concat(src[:bom], []byte("---"+e.eol), raw, []byte("---"+e.eol), src[bom:])
	case len(bytes.TrimSpace(raw)) == 0:
		return slices.Concat(src[:bom], src[e.BodyStart:])
	}
	return slices.Concat(src[:e.bounds.start], raw, src[e.bounds.end:])
}

// rebuildList returns the key and its list with the planned changes.
func (e *editor) rebuildList() []byte {
	var b bytes.Buffer
	end := e.to
	if e.key == nil {
		b.WriteString(strings.Repeat(" ", len(e.margin)-2) + fields.MemoriesKey + ":" + e.eol)
	} else {
		b.Write(e.listHead())
	}
	items := map[int]int{}
	for i, it := range e.items {
		items[it.from] = i
	}
	for n := e.from; n <= end; {
		slices.SortFunc(e.added[n], func(x, y newEntry) int { return strings.Compare(x.id, y.id) })
		for _, l := range e.added[n] {
			if b.Len() > 0 && b.Bytes()[b.Len()-1] != '\n' {
				b.WriteString(e.eol)
			}
			b.WriteString(l.text)
		}
		i, isItem := items[n]
		text, changed := e.replaced[i]
		switch {
		case n == end:
			return b.Bytes()
		case isItem && changed:
			b.WriteString(text)
			n = e.items[i].to
		default:
			if n > e.from {
				b.Write(e.layout.lines[n])
			}
			n++
		}
	}
	return b.Bytes()
}

// listHead returns the line of the key, without a value that marks the list as
// empty.
func (e *editor) listHead() []byte {
	first := e.layout.lines[e.from]
	if len(e.items) > 0 || e.list.Kind == yaml.ScalarNode && e.list.Value == "" {
		return first
	}
	colon := bytes.IndexByte(first, ':')
	comment := cmp.Or(e.list.LineComment, e.key.LineComment)
	if comment != "" {
		comment = " " + comment
	}
	return append(bytes.Clone(first[:colon+1]), comment+e.eol...)
}

// emptyList returns the rest of a list that lost its last entry: nothing unless
// it has a comment or keepList is set.
func (e *editor) emptyList(list []byte, keepList bool) []byte {
	if bytes.IndexByte(list, '#') >= 0 {
		return list
	}
	if keepList || e.decisionsFile { // a decisions file without its list reverts nothing
		first := e.layout.lines[e.from]
		return append(bytes.Clone(first[:bytes.IndexByte(first, ':')+1]), " []"+e.eol...)
	}
	return nil
}

// lineEnd returns the line end of a file's first line.
func lineEnd(src []byte) string {
	if bytes.HasSuffix(lineAt(src, 0), []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}
