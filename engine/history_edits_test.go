package engine_test

import (
	"maps"
	"slices"
	"strings"
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
	if text == it.text || slices.ContainsFunc(h.holders[text], func(key int) bool { return key != it.key }) {
		return
	}
	h.note("edit line %d in %s to %q", it.key, path, text)
	h.touch(it.key)
	h.say(it.key, text)
	h.pages[path].items = slices.Clone(h.pages[path].items)
	h.pages[path].items[at].text = text
	h.write(path)
}

// takeBack gives a line one of its former wordings again, which may be far from
// what it says now.
func (h *history) takeBack() {
	path, at, ok := h.pick()
	if !ok {
		return
	}
	it := h.pages[path].items[at]
	for _, text := range slices.Sorted(maps.Keys(h.facts[it.key].seen)) {
		if text != it.text && len(h.holders[text]) == 1 {
			h.reword(path, at, text)
			return
		}
	}
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
	renamed := h.renamed[path] || h.renamed[to]
	if (to == path || renamed) && h.fragile[h.facts[like].family] {
		h.loosen(h.facts[like].family) // nothing but their order tells these copies apart
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
