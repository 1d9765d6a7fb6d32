package engine_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memory-tiered/memory/frontmatter"
)

// page is a file as its writer has it: headings, bullets and paragraphs, apart
// by blank lines, so that git merges them one by one. Its front matter is on
// the disk alone.
type page struct {
	items []item
	crlf  bool
}

// item is a line: a memory, or, without a key, a heading.
type item struct {
	key       int
	text      string
	paragraph bool
}

var somewhere = []string{"MEMORY.md", "memory/a.md", "memory/b.md", "memory/deep/c.md"}

func (h *history) page(path string) *page {
	if h.pages[path] == nil {
		h.pages[path] = &page{}
	}
	return h.pages[path]
}

// front is what stands before the body of a file on the disk.
func (h *history) front(path string) []byte {
	src, err := os.ReadFile(filepath.Join(h.dir, path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	h.must(err)
	return src[:frontmatter.Parse(src, nil).BodyStart]
}

// write saves a page under the front matter that the file has.
func (h *history) write(path string) { h.writeUnder(h.front(path), path) }

func (h *history) writeUnder(front []byte, path string) {
	p := h.page(path)
	eol := "\n"
	if p.crlf {
		eol = "\r\n"
	}
	b := slices.Clone(front)
	for i, it := range p.items {
		if i > 0 {
			b = append(b, eol...)
		}
		switch {
		case it.key == 0:
			b = append(b, "## "...)
		case !it.paragraph:
			b = append(b, "- "...)
		}
		b = append(append(b, it.text...), eol...)
	}
	name := filepath.Join(h.dir, path)
	h.must(os.MkdirAll(filepath.Dir(name), 0o755))
	h.must(os.WriteFile(name, b, 0o644))
	h.changed[path] = true
}

// onDisk lists the files there are.
func (h *history) onDisk() (paths []string) {
	h.must(filepath.WalkDir(h.dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		if err == nil && !d.IsDir() && strings.HasSuffix(name, ".md") {
			rel, err := filepath.Rel(h.dir, name)
			paths = append(paths, filepath.ToSlash(rel))
			return err
		}
		return err
	}))
	return paths
}

// reload reads the pages anew after git wrote them. What a line means is known
// by its text; where several meanings have it, no text tells which this is.
func (h *history) reload() {
	before := h.pages
	h.pages = map[string]*page{}
	for f := range h.fragile {
		h.loosen(f)
	}
	for _, path := range h.onDisk() {
		src, err := os.ReadFile(filepath.Join(h.dir, path))
		h.must(err)
		if frontmatter.Parse(src, nil).HasConflict {
			if before[path] != nil {
				h.pages[path] = before[path] // what was indexed last stays served
			}
			continue
		}
		p := h.page(path)
		p.crlf = bytes.Contains(src, []byte("\r\n"))
		for line := range strings.Lines(string(src[len(h.front(path)):])) {
			line = strings.TrimRight(line, "\r\n")
			it := item{text: line, paragraph: true}
			if text, ok := strings.CutPrefix(line, "- "); ok {
				it = item{text: text}
			}
			if title, ok := strings.CutPrefix(line, "## "); ok {
				p.items = append(p.items, item{text: title})
			} else if line != "" {
				it.key = h.meaningOf(it.text, before[path])
				p.items = append(p.items, it)
			}
		}
	}
	stands := map[int]bool{}
	for _, p := range h.pages {
		for _, it := range p.items {
			if it.key != 0 && stands[it.key] {
				h.loosen(h.facts[it.key].family) // a merge has left it twice
			}
			if it.key != 0 {
				h.facts[it.key].text = it.text
			}
			stands[it.key] = true
		}
	}
}

func (h *history) meaningOf(text string, before *page) int {
	keys := h.holders[text]
	if len(keys) == 0 {
		h.fail("nobody wrote %q", text)
	}
	if len(keys) > 1 {
		h.loosen(h.facts[keys[0]].family)
	}
	if before != nil {
		for _, it := range before.items {
			if it.text == text {
				return it.key
			}
		}
	}
	return keys[0]
}

// common words stand in most texts, as they do in real ones; the others in one.
var common = strings.Fields("the of to and in for with on is by from at as it not before after every when all")

func (h *history) word() string {
	var b strings.Builder
	for range 2 + h.rnd.IntN(3) {
		b.WriteByte("bdfgklmnprstvz"[h.rnd.IntN(14)])
		b.WriteByte("aeiou"[h.rnd.IntN(5)])
	}
	return b.String()
}

// sentence makes a text that no other is like by chance.
func (h *history) sentence(words int) string {
	out := make([]string, words)
	for i := range out {
		if out[i] = h.word(); h.rnd.IntN(3) == 0 {
			out[i] = common[h.rnd.IntN(len(common))]
		}
	}
	return strings.Join(out, " ")
}
