package migrate

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
)

// Limits of a file, so that a person can read it and an editor opens it quickly. A
// longer text has a file of its own.
const (
	maxFileItems = 500
	maxFileBytes = 256 << 10
)

// File is a file to write.
type File struct {
	Path     string    `json:"path"`
	Memories int       `json:"memories"`
	Bytes    int       `json:"bytes"`
	Text     []byte    `json:"-"`
	Texts    []string  `json:"-"` // of its memories, in order
	Time     time.Time `json:"-"` // which the file gets, so that its memories keep their date; zero: now
}

// write writes items into files, in groups by category and day.
func (p *planner) write(items []*item) {
	slices.SortStableFunc(items, func(a, b *item) int {
		return cmp.Or(cmp.Compare(groupOf(a), groupOf(b)), a.Declared.Created.Compare(b.Declared.Created))
	})
	var batch []*item
	size := 0
	flush := func() {
		p.file(batch)
		batch, size = nil, 0
	}
	for _, it := range items {
		if len(batch) == maxFileItems || len(batch) > 0 && size+len(it.bullet) > maxFileBytes {
			flush()
		}
		batch, size = append(batch, it), size+len(it.bullet)
	}
	flush()
}

// groupOf orders items by category. Those without one are last.
func groupOf(it *item) int {
	if i := slices.Index(memory.Categories, it.Declared.Category); i >= 0 {
		return i
	}
	return len(memory.Categories)
}

// headingsOf returns the headings above an item: its category, and its day if it is known.
// So whoever reads the file, or a block, sees from when the memory is.
func (p *planner) headingsOf(it *item) []string {
	if it.Declared.Created.IsZero() {
		return []string{heading(it)}
	}
	return []string{heading(it), it.Declared.Created.In(p.Zone).Format(time.DateOnly)}
}

// heading names the group of an item.
func heading(it *item) string {
	switch c := it.Declared.Category; c {
	case "", memory.CategoryOther:
		return "Other memories"
	case memory.CategoryEntity:
		return "Entities"
	default:
		return strings.ToUpper(string(c[:1])) + string(c[1:]) + "s"
	}
}

// file adds a file with these items. If it is too large, or does not read back as they
// are, it is divided. An item that no file can contain is left out.
func (p *planner) file(items []*item) {
	if len(items) == 0 {
		return
	}
	text := p.render(items)
	tooLarge := int64(len(text)) > p.MaxBytes
	switch refused := tooLarge || !readsAs(text, items); {
	case refused && len(items) > 1:
		p.file(items[:len(items)/2])
		p.file(items[len(items)/2:])
		return
	case tooLarge:
		p.skip(items[0].Ref, SkipTooLarge)
		return
	case refused:
		p.skip(items[0].Ref, SkipUnwritable)
		return
	}
	free, ok := p.freePath()
	if !ok {
		for _, it := range items {
			p.skip(it.Ref, SkipUnindexable)
		}
		return
	}
	f := File{Path: free, Memories: len(items), Bytes: len(text), Text: text}
	for _, it := range items {
		f.Texts = append(f.Texts, it.text)
		p.keys = append(p.keys, it.key())
	}
	p.plan.Files = append(p.plan.Files, f)
}

// render returns the text of a file.
func (p *planner) render(items []*item) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "---\n# written by memory migrate; memory migrate --from %s --rollback removes it\n", p.System)
	out.WriteString("tier: warm\nsource: legacy\n---\n")
	var last []string
	for _, it := range items {
		headings := p.headingsOf(it)
		if !slices.Equal(headings, last) {
			for i, h := range headings {
				if innermost := i == len(headings)-1; innermost || i >= len(last) || last[i] != h {
					fmt.Fprintf(&out, "\n%s %s\n", strings.Repeat("#", i+1), h)
				}
			}
			out.WriteString("\n")
			last = headings
		}
		out.Write(it.bullet)
	}
	return out.Bytes()
}

// readsAs reports whether a file has these items as its blocks.
func readsAs(text []byte, items []*item) bool {
	head := frontmatter.Parse(text, time.UTC)
	blocks := chunker.Blocks(text, head.BodyStart)
	if len(blocks) != len(items) || head.FileDefaults.Source != memory.SourceLegacy {
		return false
	}
	for i, b := range blocks {
		if !items[i].isReadAs(b) {
			return false
		}
	}
	return true
}

// freePath returns a path for the next file. It has no date, which would be taken for that
// of the memories. It reports false if there is none.
func (p *planner) freePath() (string, bool) {
	return p.freeName(fmt.Sprintf("%s/%s.md", Folder, p.System))
}
