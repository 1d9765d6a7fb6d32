package ingest_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// scanAndCheck indexes all changes and checks every memory.
func (h *history) scanAndCheck() {
	h.scan()
	textsOf := map[int][]string{}
	texts, inMain := 0, map[int]bool{}
	for _, path := range h.files() {
		for _, text := range h.lines(path) {
			key := h.meaning[text]
			textsOf[key] = append(textsOf[key], text)
			inMain[key] = inMain[key] || path == "MEMORY.md"
			texts++
		}
	}
	h.followPins(inMain)
	all := h.list(memory.Predicate{})
	if len(all) != texts {
		h.fail("%d memories for %d lines", len(all), texts)
	}
	for _, m := range all {
		key, known := h.meaning[m.Text]
		if !known {
			h.fail("no line has the text %q", m.Text)
		}
		h.ambiguous[key] = h.ambiguous[key] || len(textsOf[key]) > 1
		h.check(key, m)
	}
}

func (h *history) check(key int, m memory.Memory) {
	for other, id := range h.idOf {
		if other != key && id == m.ID {
			h.fail("memory %s went from line %d to line %d (%q)", m.ID.Short(), other, key, m.Text)
		}
	}
	if h.ambiguous[key] {
		return
	}
	if id, known := h.idOf[key]; known && id != m.ID {
		h.fail("line %d (%q) was memory %s and is %s", key, m.Text, id.Short(), m.ID.Short())
	}
	h.idOf[key] = m.ID
	if _, pinned := h.pins[key]; m.Pinned != (pinned || h.stillPinned[key]) {
		h.fail("line %d (%q): pinned %v", key, m.Text, m.Pinned)
	}
}

// followPins tracks removed pins: a removed entry removes the pin only if
// MEMORY.md still contains the memory.
func (h *history) followPins(inMain map[int]bool) {
	for key := range h.pinsAtLastScan {
		_, still := h.pins[key]
		if known := h.idOf[key] != ""; known && !still && !inMain[key] {
			h.stillPinned[key] = true
		}
	}
	for key := range h.pins {
		delete(h.stillPinned, key)
	}
	h.pinsAtLastScan = maps.Clone(h.pins)
}

// The files, as lines of one bullet each.

func (h *history) files() []string {
	var out []string
	for _, pattern := range []string{"MEMORY.md", "memory/*.md"} {
		found, err := filepath.Glob(filepath.Join(h.dir, pattern))
		h.must(err)
		for _, f := range found {
			rel, err := filepath.Rel(h.dir, f)
			h.must(err)
			out = append(out, filepath.ToSlash(rel))
		}
	}
	return out
}

func (h *history) lines(path string) []string {
	src, err := os.ReadFile(filepath.Join(h.dir, path))
	if err != nil && !os.IsNotExist(err) {
		h.must(err)
	}
	var out []string
	for line := range strings.Lines(string(src)) {
		if text, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "- "); ok {
			out = append(out, text)
		}
	}
	return out
}

// writeTexts writes a file, MEMORY.md with the pins in its front matter. Blank
// lines between the bullets let git merge them line by line.
func (h *history) writeTexts(path string, texts []string) {
	var lines []string
	if path == "MEMORY.md" && len(h.pins) > 0 {
		lines = frontMatterWith(slices.Sorted(maps.Values(h.pins))...)
	}
	for _, text := range texts {
		lines = append(lines, "- "+text, "")
	}
	if lines == nil {
		lines = []string{""}
	}
	h.write(path, lines...)
}

func (h *history) words(n int) string {
	var words []string
	for range n {
		word := ""
		for range 3 {
			word += string("bdfgklmnprstvz"[h.rnd.IntN(14)]) + string("aeiou"[h.rnd.IntN(5)])
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}
