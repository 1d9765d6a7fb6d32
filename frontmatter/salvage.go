package frontmatter

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter/fields"
	"github.com/memory-tiered/memory/frontmatter/protecting"
	"github.com/memory-tiered/memory/frontmatter/syntax"
)

var (
	// singleLineEntry matches an entry on one line, as this package writes it,
	// perhaps without its dash.
	singleLineEntry = regexp.MustCompile(`^[ \t]*(?:- )?[ \t]*(\{.*\})[ \t]*,?[ \t]*(?:#.*)?\r?\n?$`)
	// itemStart matches the first line of an entry in YAML, TOML or JSON.
	itemStart = regexp.MustCompile(`^[ \t]*(?:-(?:[ \t\r\n]|$)|\{|\[\[)`)

	forgetWord = regexp.MustCompile(`(?i)forg[eo]t`)
	onlyTrue   = regexp.MustCompile(`(?i)\bonly["']?[ \t]*[:=][ \t]*["']?(?:true|yes|on|1)\b`)
	idValue    = regexp.MustCompile(`(?i)\bid["']?[ \t]*[:=]?[ \t]*["']?([0-9a-f][0-9a-f-]{3,35})\b`)
	quoteValue = regexp.MustCompile(`(?i)\bquote["']?[ \t]*[:=]?[ \t]*(\S.*)`)
	closedText = regexp.MustCompile(`^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')`)
	// nextKey matches where the value before it ends, if it has no closing
	// quotation mark.
	nextKey = regexp.MustCompile(`["']?[ \t]*,?[ \t]*["']?\b(?:id|path|pinned|forg\w+|only|tier|since|private|trust)["']?[ \t]*[:=]`)
	// forgettingLine matches a line or two of an entry that forgets a memory,
	// valid or not.
	forgettingLine = regexp.MustCompile(`(?i)\b(?:id|quote)["']?[ \t]*[:=][^\n]*(?:\n[^\n]*){0,3}\bforg[eo]t\w*["']?[ \t]*[:=]`)
)

// declaresForgotten reports whether a text that cannot be decoded probably has
// entries that forget memories.
func declaresForgotten(raw []byte) bool { return forgetWord.Match(raw) && forgettingLine.Match(raw) }

// salvageEntries reads what can be read of front matter that is invalid as a
// whole, so that hidden memories stay hidden. It reads entries on one line, and the id
// and quote of any other entry that forgets or withholds. A forgetting entry with neither
// may be about any memory, so the whole file is then private.
func (r *parser) salvageEntries(raw []byte) {
	known, before := map[int]bool{}, len(r.rawEntries)
	for _, e := range r.rawEntries {
		known[e.Line] = true
	}
	unnamed := 0
	for _, g := range splitItems(raw) {
		line := r.bounds.firstLine + g.line - 1
		if known[line] || r.salvageSingleLines(g) {
			continue
		}
		e := lenientEntry(g.text)
		e.Line = line
		switch {
		case !protecting.Protects(e.Declared):
			continue
		case e.Quote == "" && !fields.IsForgotten(e.Declared):
			continue // its file is withheld
		case e.Quote == "":
			unnamed = line + bytes.Count(g.text[:forgetWord.FindIndex(g.text)[0]], []byte("\n"))
			continue
		}
		r.addFault(min(line, r.lastLine), "this line cannot be read; until you correct it, the memory that it is probably about stays hidden")
		r.rawEntries = append(r.rawEntries, e)
	}
	if len(r.rawEntries) > before && r.ReadOnlyReason == "" {
		r.ReadOnlyReason = "one of its entries cannot be read"
	}
	r.Entries = r.mergeDuplicates(r.rawEntries)
	if unnamed > 0 && !r.decisionsFile && r.FileDefaults.Private == nil {
		yes := true
		r.FileDefaults.Private = &yes
		r.addFault(min(unnamed, r.lastLine), "forgotten cannot be read here: the whole file counts as private until its front matter is correct")
	}
}

// salvageConflict adds the entries of both sides of a merge conflict that forget a
// memory. They may be anywhere in the file, because the delimiters may be in the
// conflict too.
func (r *parser) salvageConflict(src []byte) {
	for _, g := range splitItems(src) {
		if e := lenientEntry(g.text); declaresForgotten(g.text) && e.Quote != "" {
			e.Line = g.line
			r.rawEntries = append(r.rawEntries, e)
		}
	}
	faults := r.Faults
	r.Entries = r.mergeDuplicates(r.rawEntries)
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
		if itemStart.Match(line) {
			items = append(items, itemText{line: n})
		}
		last := &items[len(items)-1]
		last.text = append(last.text, line...)
	}
	return items
}

// salvageSingleLines reads an item whose first line is an entry of its own.
func (r *parser) salvageSingleLines(g itemText) bool {
	m := singleLineEntry.FindSubmatch(lineAt(g.text, 0))
	if m == nil {
		return false
	}
	t := syntax.Decode(syntax.YAML, m[1])
	if t.Err != nil || t.Root == nil || t.Root.Kind != yaml.MappingNode {
		return false
	}
	syntax.SetLines(t.Root, g.line)
	faults := r.Faults
	e := r.readEntry(t.Root)
	if e.Line == 0 {
		r.Faults = faults
		return false
	}
	r.rawEntries = append(r.rawEntries, e)
	return true
}

// lenientEntry reads the id, the quote and what protects of an entry that no decoder
// accepts.
func lenientEntry(text []byte) (e memory.Entry) {
	for _, m := range protecting.InHead(text, true) {
		protecting.Add(&e.Declared, m.Withheld)
	}
	if yes := true; forgetWord.Match(text) {
		e.Declared = memory.Declared{Forgotten: &yes, Only: onlyTrue.Match(text)}
	}
	if m := idValue.FindSubmatch(text); m != nil {
		e.IDPrefix = strings.ToLower(strings.ReplaceAll(string(m[1]), "-", ""))
	}
	if m := quoteValue.FindSubmatch(text); m != nil {
		e.Quote = fields.FoldSpaces(lenientText(bytes.TrimSpace(m[1])))
	}
	return e
}

// lenientText returns the text at the start of a value: to its closing quotation
// mark, else to the next key.
func lenientText(value []byte) string {
	if closed := closedText.Find(value); closed != nil {
		if t := syntax.Decode(syntax.YAML, closed); t.Err == nil && t.Root != nil && t.Root.Kind == yaml.ScalarNode {
			return t.Root.Value
		}
		return string(bytes.Trim(closed, `"'`))
	}
	if at := nextKey.FindIndex(value); at != nil {
		value = value[:at[0]]
	}
	return strings.Trim(string(value), " \t\"',{}[]")
}

// ForgettingEntries returns the entries that forget a memory.
func (m Parsed) ForgettingEntries() []memory.Entry {
	return slices.DeleteFunc(slices.Clone(m.Entries), func(e memory.Entry) bool { return !fields.IsForgotten(e.Declared) })
}
