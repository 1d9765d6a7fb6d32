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

// Edits of whole files and headings, and of lines that become others.

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
	h.logStep("rename %s to %s", path, to)
	for _, it := range h.pages[path].items {
		if it.key != 0 && h.ambiguous[h.facts[it.key].family] {
			h.markChanged(it.key)
		}
	}
	h.must(os.Rename(filepath.Join(h.dir, path), filepath.Join(h.dir, to)))
	h.pages[to] = h.pages[path]
	delete(h.pages, path)
	h.changedFiles[path], h.changedFiles[to] = true, true
	h.renamedFiles[path], h.renamedFiles[to] = true, true
	if andEdit {
		h.edit()
	}
}

func (h *history) removeFile() {
	paths := slices.Sorted(maps.Keys(h.pages))
	path := paths[h.rnd.IntN(len(paths))]
	for _, it := range h.pages[path].items {
		if it.key != 0 && h.changedFamilies[h.facts[it.key].family] {
			return
		}
	}
	if _, err := os.Stat(filepath.Join(h.dir, path)); err != nil {
		return
	}
	h.logStep("remove %s", path)
	for _, it := range h.pages[path].items {
		if it.key != 0 {
			h.markChanged(it.key)
			h.deletedItems = append(h.deletedItems, it)
		}
	}
	h.must(os.Remove(filepath.Join(h.dir, path)))
	delete(h.pages, path)
	h.changedFiles[path] = true
}

// retitle adds, changes or removes a heading.
func (h *history) retitle() {
	path := h.pickFile()
	p := h.page(path)
	for i, it := range p.items {
		if it.key == 0 {
			h.logStep("change heading %q of %s", it.text, path)
			p.items = slices.Clone(p.items)
			if p.items[i].text = h.word(); h.rnd.IntN(2) == 0 {
				p.items = slices.Delete(p.items, i, i+1)
			}
			h.write(path)
			return
		}
	}
	h.logStep("add a heading to %s", path)
	h.insertItem(path, item{text: h.word()})
}

// rewrite replaces a line by an unrelated one.
func (h *history) rewrite() {
	path, at, ok := h.pickMemory()
	if !ok {
		return
	}
	old := h.pages[path].items[at]
	h.markChanged(old.key)
	text := h.sentence(len(strings.Fields(old.text)))
	it := item{key: h.newFact(text, 0), text: text}
	h.changedFamilies[it.key] = true
	h.logStep("replace line %d in %s by line %d (%q)", old.key, path, it.key, text)
	h.deletedItems = append(h.deletedItems, old)
	h.pages[path].items = slices.Clone(h.pages[path].items)
	h.pages[path].items[at] = it
	h.write(path)
}

// split divides a line into two; join merges two neighbours. Either part may keep
// the id, but nothing else may get the decisions.
func (h *history) split() {
	path, at, ok := h.pickMemory()
	if !ok {
		return
	}
	it := h.pages[path].items[at]
	words := strings.Fields(it.text)
	if len(words) < 14 {
		return
	}
	h.markChanged(it.key)
	h.markIndistinct(h.facts[it.key].family)
	first, second := strings.Join(words[:len(words)/2], " "), strings.Join(words[len(words)/2:], " ")
	rest := item{key: h.newFact(second, it.key), text: second}
	h.setText(it.key, first)
	h.logStep("split line %d into %q and line %d", it.key, first, rest.key)
	it.text = first
	items := slices.Clone(h.pages[path].items)
	items[at] = it
	h.pages[path].items = slices.Insert(items, at+1, rest)
	h.write(path)
}

func (h *history) join() {
	path, at, ok := h.pickMemory()
	if !ok {
		return
	}
	items := slices.Clone(h.pages[path].items)
	if at+1 == len(items) || items[at+1].key == 0 || h.changedFamilies[h.facts[items[at+1].key].family] {
		return
	}
	a, b := items[at], items[at+1]
	h.logStep("join lines %d and %d", a.key, b.key)
	h.mergeFamilies(h.facts[a.key].family, h.facts[b.key].family)
	a.text += " " + b.text
	h.setText(a.key, a.text)
	items[at] = a
	h.pages[path].items = slices.Delete(items, at+1, at+2)
	h.write(path)
}

// lineEnds changes a file's line ends from Unix to Windows, or back.
func (h *history) lineEnds() {
	path := h.pickFile()
	front := bytes.ReplaceAll(h.frontMatterOf(path), []byte("\r\n"), []byte("\n"))
	p := h.page(path)
	if p.crlf = !p.crlf; p.crlf {
		front = bytes.ReplaceAll(front, []byte("\n"), []byte("\r\n"))
	}
	h.logStep("change the line ends of %s, Windows: %v", path, p.crlf)
	h.writeWith(front, path)
}

// frontMatter adds a declaration about all memories of a file.
func (h *history) frontMatter() {
	path := h.pickFile()
	front := h.frontMatterOf(path)
	if bytes.Contains(front, []byte("scope:")) {
		return
	}
	h.logStep("add front matter to %s", path)
	eol := "\n"
	if h.page(path).crlf {
		eol = "\r\n"
	}
	if len(front) == 0 {
		front = []byte("---" + eol + "---" + eol)
	}
	front = bytes.Replace(front, []byte("---"+eol), []byte("---"+eol+"# by hand"+eol+"scope: work"+eol), 1)
	h.writeWith(front, path)
}

// moveInTwoSaves saves the copy first and removes the original later. A decision in
// between about the original leaves it one move; one about the copy makes them two
// memories.
func (h *history) moveInTwoSaves() {
	path, at, ok := h.pickMemory()
	if !ok {
		return
	}
	it := h.pages[path].items[at]
	to := h.pickFile()
	if to == path || h.ambiguous[h.facts[it.key].family] || h.facts[it.key].indistinct {
		return
	}
	h.logStep("move line %d from %s to %s in two saves", it.key, path, to)
	twin := item{key: h.newFact(it.text, it.key), text: it.text}
	h.insertItem(to, twin)
	h.indexAndCheck()
	aboutTwin := false
	switch h.rnd.IntN(4) {
	case 0:
		h.decideAbout(it.key, memory.ActionPin)
	case 1:
		aboutTwin = h.decideAbout(twin.key, memory.ActionPin)
	}
	h.removeItem(path, slices.IndexFunc(h.pages[path].items, func(i item) bool { return i.key == it.key }))
	if !aboutTwin {
		items := slices.Clone(h.pages[to].items)
		items[slices.IndexFunc(items, func(i item) bool { return i.key == twin.key })].key = it.key
		h.pages[to].items = items
		delete(h.keyByID, h.facts[twin.key].id.InFile())
		delete(h.facts, twin.key)
		h.keysByText[it.text] = []int{it.key}
		delete(h.ambiguous, h.facts[it.key].family)
	}
	h.indexAndCheck()
}
