package engine_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// What is done to whole files, to headings, and to lines that become others.

func (h *history) rename() { h.renameFile(false) }

func (h *history) renameAndEdit() { h.renameFile(true) }

func (h *history) renameFile(andEdit bool) {
	paths := slices.Sorted(maps.Keys(h.pages))
	path := paths[h.rnd.IntN(len(paths))]
	if _, err := os.Stat(filepath.Join(h.dir, path)); err != nil || path == "MEMORY.md" {
		return
	}
	to := fmt.Sprintf("memory/%s.md", h.word())
	if h.pages[to] != nil {
		return
	}
	h.note("rename %s to %s", path, to)
	for _, it := range h.pages[path].items {
		if it.key != 0 && h.fragile[h.facts[it.key].family] {
			h.touch(it.key)
		}
	}
	h.must(os.Rename(filepath.Join(h.dir, path), filepath.Join(h.dir, to)))
	h.pages[to] = h.pages[path]
	delete(h.pages, path)
	h.changed[path], h.changed[to] = true, true
	h.renamed[path], h.renamed[to] = true, true
	if andEdit {
		h.edit()
	}
}

func (h *history) removeFile() {
	paths := slices.Sorted(maps.Keys(h.pages))
	path := paths[h.rnd.IntN(len(paths))]
	for _, it := range h.pages[path].items {
		if it.key != 0 && h.busy[h.facts[it.key].family] {
			return
		}
	}
	if _, err := os.Stat(filepath.Join(h.dir, path)); err != nil {
		return
	}
	h.note("remove %s", path)
	for _, it := range h.pages[path].items {
		if it.key != 0 {
			h.touch(it.key)
			h.removed = append(h.removed, it)
		}
	}
	h.must(os.Remove(filepath.Join(h.dir, path)))
	delete(h.pages, path)
	h.changed[path] = true
}

// retitle puts a heading somewhere, changes one, or takes it away.
func (h *history) retitle() {
	path := h.file()
	p := h.page(path)
	for i, it := range p.items {
		if it.key == 0 {
			h.note("change heading %q of %s", it.text, path)
			p.items = slices.Clone(p.items)
			if p.items[i].text = h.word(); h.rnd.IntN(2) == 0 {
				p.items = slices.Delete(p.items, i, i+1)
			}
			h.write(path)
			return
		}
	}
	h.note("put a heading into %s", path)
	h.put(path, item{text: h.word()})
}

// rewrite puts something else in a line's place.
func (h *history) rewrite() {
	path, at, ok := h.pick()
	if !ok {
		return
	}
	old := h.pages[path].items[at]
	h.touch(old.key)
	text := h.sentence(len(strings.Fields(old.text)))
	it := item{key: h.mean(text, 0), text: text}
	h.busy[it.key] = true
	h.note("replace line %d in %s by line %d (%q)", old.key, path, it.key, text)
	h.removed = append(h.removed, old)
	h.pages[path].items = slices.Clone(h.pages[path].items)
	h.pages[path].items[at] = it
	h.write(path)
}

// split cuts a line in two; join makes one of two neighbours. Which part goes on
// is not asked, only that nothing else gets what was decided.
func (h *history) split() {
	path, at, ok := h.pick()
	if !ok {
		return
	}
	it := h.pages[path].items[at]
	words := strings.Fields(it.text)
	if len(words) < 14 {
		return
	}
	h.touch(it.key)
	h.loosen(h.facts[it.key].family)
	first, second := strings.Join(words[:len(words)/2], " "), strings.Join(words[len(words)/2:], " ")
	rest := item{key: h.mean(second, it.key), text: second}
	h.say(it.key, first)
	h.note("split line %d into %q and line %d", it.key, first, rest.key)
	it.text = first
	items := slices.Clone(h.pages[path].items)
	items[at] = it
	h.pages[path].items = slices.Insert(items, at+1, rest)
	h.write(path)
}

func (h *history) join() {
	path, at, ok := h.pick()
	if !ok {
		return
	}
	items := slices.Clone(h.pages[path].items)
	if at+1 == len(items) || items[at+1].key == 0 || h.busy[h.facts[items[at+1].key].family] {
		return
	}
	a, b := items[at], items[at+1]
	h.note("join lines %d and %d", a.key, b.key)
	h.unite(h.facts[a.key].family, h.facts[b.key].family)
	a.text += " " + b.text
	h.say(a.key, a.text)
	items[at] = a
	h.pages[path].items = slices.Delete(items, at+1, at+2)
	h.write(path)
}

// lineEnds turns a file's line ends from Unix to Windows, or back.
func (h *history) lineEnds() {
	path := h.file()
	front := bytes.ReplaceAll(h.front(path), []byte("\r\n"), []byte("\n"))
	p := h.page(path)
	if p.crlf = !p.crlf; p.crlf {
		front = bytes.ReplaceAll(front, []byte("\n"), []byte("\r\n"))
	}
	h.note("line ends of %s, Windows: %v", path, p.crlf)
	h.writeUnder(front, path)
}

// frontMatter has a file say something of all its memories.
func (h *history) frontMatter() {
	path := h.file()
	front := h.front(path)
	if bytes.Contains(front, []byte("scope:")) {
		return
	}
	h.note("front matter into %s", path)
	eol := "\n"
	if h.page(path).crlf {
		eol = "\r\n"
	}
	if len(front) == 0 {
		front = []byte("---" + eol + "---" + eol)
	}
	front = bytes.Replace(front, []byte("---"+eol), []byte("---"+eol+"# by hand"+eol+"scope: work"+eol), 1)
	h.writeUnder(front, path)
}

// moveInTwoSaves saves the copy first; the original goes later. Something may be
// decided in between: about the original, and it is still one move; about the
// copy, and they are two memories.
func (h *history) moveInTwoSaves() {
	path, at, ok := h.pick()
	if !ok {
		return
	}
	it := h.pages[path].items[at]
	to := h.file()
	if to == path || h.fragile[h.facts[it.key].family] || h.facts[it.key].loose {
		return
	}
	h.note("move line %d from %s to %s in two saves", it.key, path, to)
	twin := item{key: h.mean(it.text, it.key), text: it.text}
	h.put(to, twin)
	h.look()
	aboutTwin := false
	switch h.rnd.IntN(4) {
	case 0:
		h.decideAbout(it.key, memory.ActionPin)
	case 1:
		aboutTwin = h.decideAbout(twin.key, memory.ActionPin)
	}
	h.take(path, slices.IndexFunc(h.pages[path].items, func(i item) bool { return i.key == it.key }))
	if !aboutTwin {
		items := slices.Clone(h.pages[to].items)
		items[slices.IndexFunc(items, func(i item) bool { return i.key == twin.key })].key = it.key
		h.pages[to].items = items
		delete(h.owners, h.facts[twin.key].id.InFile())
		delete(h.facts, twin.key)
		h.holders[it.text] = []int{it.key}
		delete(h.fragile, h.facts[it.key].family)
	}
	h.look()
}
