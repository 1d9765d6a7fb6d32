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

// page is a file as its writer sees it: headings, bullets and paragraphs, separated
// by blank lines so that git merges them one by one. Its front matter exists on
// disk only.
type page struct {
	items []item
	crlf  bool
}

// item is a line: a memory, or a heading if key is 0.
type item struct {
	key       int
	text      string
	paragraph bool
}

var usualPaths = []string{"MEMORY.md", "memory/a.md", "memory/b.md", "memory/deep/c.md"}

func (h *history) page(path string) *page {
	if h.pages[path] == nil {
		h.pages[path] = &page{}
	}
	return h.pages[path]
}

// frontMatterOf returns what precedes the body of a file on disk.
func (h *history) frontMatterOf(path string) []byte {
	src, err := os.ReadFile(filepath.Join(h.dir, path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	h.must(err)
	return src[:frontmatter.Parse(src, nil).BodyStart]
}

// write saves a page below the front matter that the file has.
func (h *history) write(path string) { h.writeWith(h.frontMatterOf(path), path) }

func (h *history) writeWith(front []byte, path string) {
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
	h.changedFiles[path] = true
}

// filesOnDisk lists the Markdown files.
func (h *history) filesOnDisk() (paths []string) {
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

// readPages reads the pages again after git wrote them. A line's fact is known by
// its text; where several facts have it, they become indistinct.
func (h *history) readPages() {
	before := h.pages
	h.pages = map[string]*page{}
	for f := range h.ambiguous {
		h.markIndistinct(f)
	}
	for _, path := range h.filesOnDisk() {
		src, err := os.ReadFile(filepath.Join(h.dir, path))
		h.must(err)
		if frontmatter.Parse(src, nil).HasConflict {
			if before[path] != nil {
				h.pages[path] = before[path] // the last indexed content stays served
			}
			continue
		}
		p := h.page(path)
		p.crlf = bytes.Contains(src, []byte("\r\n"))
		for line := range strings.Lines(string(src[len(h.frontMatterOf(path)):])) {
			line = strings.TrimRight(line, "\r\n")
			it := item{text: line, paragraph: true}
			if text, ok := strings.CutPrefix(line, "- "); ok {
				it = item{text: text}
			}
			if title, ok := strings.CutPrefix(line, "## "); ok {
				p.items = append(p.items, item{text: title})
			} else if line != "" {
				it.key = h.keyOf(it.text, before[path])
				p.items = append(p.items, it)
			}
		}
	}
	seen := map[int]bool{}
	for _, p := range h.pages {
		for _, it := range p.items {
			if it.key != 0 && seen[it.key] {
				h.markIndistinct(h.facts[it.key].family) // a merge left it twice
			}
			if it.key != 0 {
				h.facts[it.key].text = it.text
			}
			seen[it.key] = true
		}
	}
}

func (h *history) keyOf(text string, before *page) int {
	keys := h.keysByText[text]
	if len(keys) == 0 {
		h.fail("no fact has the text %q", text)
	}
	if len(keys) > 1 {
		h.markIndistinct(h.facts[keys[0]].family)
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

// commonWords are in most texts, as in real ones; each other word is in one.
var commonWords = strings.Fields("the of to and in for with on is by from at as it not before after every when all")

func (h *history) word() string {
	var b strings.Builder
	for range 2 + h.rnd.IntN(3) {
		b.WriteByte("bdfgklmnprstvz"[h.rnd.IntN(14)])
		b.WriteByte("aeiou"[h.rnd.IntN(5)])
	}
	return b.String()
}

// sentence returns a text that resembles no other by chance.
func (h *history) sentence(words int) string {
	out := make([]string, words)
	for i := range out {
		if out[i] = h.word(); h.rnd.IntN(3) == 0 {
			out[i] = commonWords[h.rnd.IntN(len(commonWords))]
		}
	}
	return strings.Join(out, " ")
}
