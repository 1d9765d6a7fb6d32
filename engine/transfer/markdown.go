package transfer

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
)

// note writes the memories of one file.
type note struct {
	zone  *time.Location
	moved bool // the file has another path than there, so that its name gives no date
	lines []line
}

// text returns the content of the file: current, and the memories behind it. It reads back
// as these memories. It first tries the lines as they were there, then lists of items. refused
// are the positions of the memories that no file can have.
func (n note) text(current []byte) (text []byte, refused []int, err error) {
	if text, ok := n.render(current, n.verbatim); ok {
		return text, nil, nil
	}
	if text, ok := n.render(current, n.rewritten); ok {
		return text, nil, nil
	}
	var fit []line
	for i, l := range n.lines {
		alone := note{n.zone, n.moved, []line{l}}
		if _, ok := alone.render(nil, alone.rewritten); ok {
			fit = append(fit, l)
		} else {
			refused = append(refused, i)
		}
	}
	rest := note{n.zone, n.moved, fit}
	text, ok := rest.render(current, rest.rewritten)
	if !ok {
		return nil, refused, memory.Conflict("nothing can be appended to the file").WithHint("close the code fence or comment that is open at its end")
	}
	return text, refused, nil
}

// piece is a memory as it is written.
type piece struct {
	markdown []byte
	declared memory.Declared // in the front matter
}

// verbatim returns a memory with the lines that it had there.
func (n note) verbatim(l line, sameHead bool) (p piece, ok bool) {
	if l.Markdown == nil {
		return n.rewritten(l, sameHead)
	}
	p.markdown, p.declared = []byte(strings.TrimRight(*l.Markdown, "\n")+"\n"), l.Declared
	if l.Tables == nil {
		if blocks := chunker.Blocks(p.markdown, 0); len(blocks) == 1 && isEqual(blocks[0].Annotations, l.Declared) {
			p.declared = memory.Declared{}
		}
		return p, true
	}
	if !sameHead {
		p.declared = p.declared.Over(l.File)
	}
	if n.moved && p.declared.Created.IsZero() {
		p.declared.Created = l.Memory.CreatedAt
	}
	return p, true
}

// rewritten returns a memory as an item of a list, with all that was declared about it in
// the front matter.
func (n note) rewritten(l line, _ bool) (p piece, ok bool) {
	p.markdown = chunker.Bullet(*l.Memory.Text)
	if l.Tables == nil { // of another system
		p.declared = l.Declared
		return p, p.markdown != nil
	}
	m, yes := l.Memory, true
	state := memory.Declared{Type: m.Type, Category: m.Category, Scope: m.Scope, User: m.User, Importance: &m.Importance, ImportanceLabel: m.ImportanceLabel,
		Trust: m.Trust, Source: m.Source, Created: m.CreatedAt, Tags: m.Tags}
	if m.SourceRef != nil {
		state.SourceRef = *m.SourceRef
	}
	if m.ExpiresAt != nil {
		state.Expires = *m.ExpiresAt
	}
	if m.Private {
		state.Private = &yes
	}
	p.declared = l.Declared.Over(state)
	if m.Private {
		p.declared.Private = &yes
	}
	return p, p.markdown != nil
}

// render writes the file. It reports false if it would not read back as these memories.
func (n note) render(current []byte, form func(line, bool) (piece, bool)) ([]byte, bool) {
	var out bytes.Buffer
	head := frontmatter.NewHead(n.lines[0].File, n.zone)
	if current != nil {
		head = nil
		out.Write(current)
		if !bytes.HasSuffix(current, []byte("\n")) {
			out.WriteString("\n")
		}
	}
	out.Write(head)
	var changes []frontmatter.Change
	var last []string
	isItem := false
	for i, l := range n.lines {
		p, ok := form(l, head != nil || isEmpty(l.File))
		if !ok {
			return nil, false
		}
		wasItem := isItem
		isItem = bytes.HasPrefix(p.markdown, []byte("- "))
		switch {
		case i == 0 && current != nil || !slices.Equal(last, l.Memory.Heading):
			writeHeadings(&out, i == 0 && current == nil, last, l.Memory.Heading)
		case i > 0 && !(isItem && wasItem):
			out.WriteString("\n")
		}
		last = l.Memory.Heading
		out.Write(p.markdown)
		if !isEmpty(p.declared) {
			changes = append(changes, frontmatter.Change{ID: l.Memory.ID, Quote: chunker.QuoteOf(*l.Memory.Text), Declared: p.declared})
		}
	}
	text, err := frontmatter.Set(out.Bytes(), n.zone, changes)
	return text, err == nil && n.isReadAs(current, text, changes)
}

// writeHeadings writes the headings of a memory that the one before it does not have, at the
// begin of a file without an empty line.
func writeHeadings(out *bytes.Buffer, isBegin bool, before, path []string) {
	common := 0
	for common < len(before) && common < len(path) && before[common] == path[common] {
		common++
	}
	if common == len(path) { // no heading ends a section: the last one is written again
		common = max(0, common-1)
	}
	for i := common; i < len(path); i++ {
		if !isBegin || i > common {
			out.WriteString("\n")
		}
		out.WriteString(strings.Repeat("#", min(i+1, 6)) + " " + path[i] + "\n")
	}
	if !isBegin || len(path) > common {
		out.WriteString("\n")
	}
}

// isReadAs reports whether a file has the memories behind those that it had, each under
// its heading and with its decisions.
func (n note) isReadAs(before, text []byte, changes []frontmatter.Change) bool {
	had := chunker.Blocks(before, frontmatter.Parse(before, n.zone).BodyStart)
	parsed := frontmatter.Parse(text, n.zone)
	blocks := chunker.Blocks(text, parsed.BodyStart)
	if len(blocks) != len(had)+len(n.lines) || len(parsed.Faults) > 0 {
		return false
	}
	for i, b := range had {
		if b.Fingerprint != blocks[i].Fingerprint {
			return false
		}
	}
	for i, l := range n.lines {
		b := blocks[len(had)+i]
		if hex.EncodeToString(b.Fingerprint[:]) != l.Fingerprint || !slices.Equal(b.Heading, l.Memory.Heading) && (before == nil || len(l.Memory.Heading) > 0) {
			return false
		}
	}
	return len(parsed.Entries) >= len(changes)
}

func isEmpty(d memory.Declared) bool { return isEqual(d, memory.Declared{}) }

func isEqual(a, b memory.Declared) bool {
	one, err := json.Marshal(a)
	other, otherErr := json.Marshal(b)
	return err == nil && otherErr == nil && bytes.Equal(one, other)
}
