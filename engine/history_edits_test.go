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

// pick chooses a memory whose family this save has not changed yet.
func (h *history) pick() (path string, at int, ok bool) {
	type place struct {
		path string
		at   int
	}
	var places []place
	for _, p := range slices.Sorted(maps.Keys(h.pages)) {
		for i, it := range h.pages[p].items {
			if it.key != 0 && !h.busy[h.facts[it.key].family] {
				places = append(places, place{p, i})
			}
		}
	}
	if len(places) == 0 {
		return "", 0, false
	}
	chosen := places[h.rnd.IntN(len(places))]
	return chosen.path, chosen.at, true
}

// touch notes that a save changes something about a meaning.
func (h *history) touch(key int) {
	family := h.facts[key].family
	h.busy[family] = true
	if h.fragile[family] {
		h.loosen(family)
	}
}

func (h *history) take(path string, at int) item {
	p := h.pages[path]
	it := p.items[at]
	p.items = slices.Delete(slices.Clone(p.items), at, at+1)
	h.write(path)
	return it
}

func (h *history) put(path string, it item) {
	p := h.page(path)
	p.items = slices.Insert(slices.Clone(p.items), h.rnd.IntN(len(p.items)+1), it)
	h.write(path)
}

// file is one that there is, or one of those that there usually are.
func (h *history) file() string {
	all := append(slices.Sorted(maps.Keys(h.pages)), somewhere...)
	return all[h.rnd.IntN(len(all))]
}

func (h *history) insert() {
	text := h.sentence(8 + h.rnd.IntN(8))
	it := item{key: h.mean(text, 0), text: text, paragraph: h.rnd.IntN(5) == 0}
	path := h.file()
	h.note("insert line %d (%q) into %s", it.key, text, path)
	h.busy[it.key] = true
	h.put(path, it)
}

func (h *history) insertOnTop() {
	text := h.sentence(8 + h.rnd.IntN(8))
	it := item{key: h.mean(text, 0), text: text}
	path := h.file()
	h.note("insert line %d (%q) on top of %s", it.key, text, path)
	h.busy[it.key] = true
	h.page(path).items = append([]item{it}, h.page(path).items...)
	h.write(path)
}

// reword gives a line another text that means the same.
func (h *history) reword(path string, at int, text string) {
	it := h.pages[path].items[at]
	if text == it.text || len(h.holders[text]) > 0 {
		return
	}
	h.note("edit line %d in %s to %q", it.key, path, text)
	h.touch(it.key)
	h.say(it.key, text)
	h.pages[path].items = slices.Clone(h.pages[path].items)
	h.pages[path].items[at].text = text
	h.write(path)
}

// edit changes a word in six or adds one in four, at most: what a person calls
// the same.
func (h *history) edit() {
	path, at, ok := h.pick()
	if !ok {
		return
	}
	words := strings.Fields(h.pages[path].items[at].text)
	switch i := h.rnd.IntN(len(words)); h.rnd.IntN(4) {
	case 0:
		for range 1 + len(words)/12 {
			words[h.rnd.IntN(len(words))] = h.word()
		}
	case 1:
		words = slices.Insert(words, i, h.word())
	case 2:
		if len(words) > 8 {
			words = slices.Delete(words, i, i+1)
		}
	default:
		words = slices.Insert(words, i, strings.Fields(h.sentence(1+len(words)/4))...)
	}
	h.reword(path, at, strings.Join(words, " "))
}

// typo changes a letter.
func (h *history) typo() {
	path, at, ok := h.pick()
	if !ok {
		return
	}
	text := []byte(h.pages[path].items[at].text)
	if i := h.rnd.IntN(len(text)); text[i] != ' ' {
		text[i] = "qxy"[h.rnd.IntN(3)]
	}
	h.reword(path, at, string(text))
}

func (h *history) move() {
	path, at, ok := h.pick()
	if !ok {
		return
	}
	it := h.take(path, at)
	h.touch(it.key)
	to := h.file()
	h.note("move line %d from %s to %s", it.key, path, to)
	h.put(to, it)
}

func (h *history) deleteOne() {
	path, at, ok := h.pick()
	if !ok {
		return
	}
	it := h.take(path, at)
	h.touch(it.key)
	h.note("delete line %d from %s", it.key, path)
	h.removed = append(h.removed, it)
}

// addAgain brings back exactly what was deleted, anywhere.
func (h *history) addAgain() {
	if len(h.removed) == 0 {
		return
	}
	i := h.rnd.IntN(len(h.removed))
	it := h.removed[i]
	if h.busy[h.facts[it.key].family] || h.stands(it.key) || h.facts[it.key].text != it.text {
		return
	}
	h.removed = slices.Delete(h.removed, i, i+1)
	h.touch(it.key)
	path := h.file()
	h.note("add line %d again, to %s", it.key, path)
	h.put(path, it)
}

func (h *history) stands(key int) bool {
	for path := range h.pages {
		if h.standsIn(key, path) {
			return true
		}
	}
	return false
}

// copyOne, variant and oldWording add what says the same, nearly the same, or
// what another line said once, as something of its own.
func (h *history) copyOne() { h.addLike("a copy", func(f *fact) string { return f.text }) }

func (h *history) variant() {
	h.addLike("a variant", func(f *fact) string {
		words := strings.Fields(f.text)
		words[h.rnd.IntN(len(words))] = h.word()
		return strings.Join(words, " ")
	})
}

func (h *history) oldWording() {
	h.addLike("the old wording", func(f *fact) string {
		for _, text := range slices.Sorted(maps.Keys(f.seen)) {
			if text != f.text {
				return text
			}
		}
		return ""
	})
}

func (h *history) addLike(what string, textOf func(*fact) string) {
	path, at, ok := h.pick()
	if !ok {
		return
	}
	like := h.pages[path].items[at].key
	text := textOf(h.facts[like])
	if text == "" {
		return
	}
	h.touch(like)
	it := item{key: h.mean(text, like), text: text}
	to := h.file()
	h.note("add line %d (%q), %s of %d, to %s", it.key, text, what, like, to)
	renamedAway := h.pages[to] == nil && h.changed[to]
	if (to == path || renamedAway) && h.fragile[h.facts[like].family] {
		h.loosen(h.facts[like].family) // at one path, nothing but their order tells copies apart
	}
	h.put(to, it)
}

func (h *history) shuffle() {
	path := h.file()
	items := slices.Clone(h.page(path).items)
	h.note("shuffle %s", path)
	for _, it := range items {
		if it.key != 0 && h.fragile[h.facts[it.key].family] {
			h.touch(it.key)
		}
	}
	h.rnd.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	h.pages[path].items = items
	h.write(path)
}

func (h *history) rename() { h.renamed(false) }

func (h *history) renameAndEdit() { h.renamed(true) }

func (h *history) renamed(andEdit bool) {
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
