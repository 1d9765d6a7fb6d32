package engine_test

import (
	"maps"
	"slices"
	"strings"
)

// pickMemory chooses a memory whose family this save has not changed yet.
func (h *history) pickMemory() (path string, at int, ok bool) {
	type place struct {
		path string
		at   int
	}
	var places []place
	for _, p := range slices.Sorted(maps.Keys(h.pages)) {
		for i, it := range h.pages[p].items {
			if it.key != 0 && !h.changedFamilies[h.facts[it.key].family] {
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

// markChanged records that a save changes something about a fact.
func (h *history) markChanged(key int) {
	family := h.facts[key].family
	h.changedFamilies[family] = true
	if h.ambiguous[family] {
		h.markIndistinct(family)
	}
}

func (h *history) removeItem(path string, at int) item {
	p := h.pages[path]
	it := p.items[at]
	p.items = slices.Delete(slices.Clone(p.items), at, at+1)
	h.write(path)
	return it
}

func (h *history) insertItem(path string, it item) {
	p := h.page(path)
	p.items = slices.Insert(slices.Clone(p.items), h.rnd.IntN(len(p.items)+1), it)
	h.write(path)
}

// pickFile returns an existing file, or one of the usual ones.
func (h *history) pickFile() string {
	all := append(slices.Sorted(maps.Keys(h.pages)), usualPaths...)
	return all[h.rnd.IntN(len(all))]
}

func (h *history) insert() {
	text := h.sentence(8 + h.rnd.IntN(8))
	it := item{key: h.newFact(text, 0), text: text, paragraph: h.rnd.IntN(5) == 0}
	path := h.pickFile()
	h.logStep("insert line %d (%q) into %s", it.key, text, path)
	h.changedFamilies[it.key] = true
	h.insertItem(path, it)
}

func (h *history) insertOnTop() {
	text := h.sentence(8 + h.rnd.IntN(8))
	it := item{key: h.newFact(text, 0), text: text}
	path := h.pickFile()
	h.logStep("insert line %d (%q) on top of %s", it.key, text, path)
	h.changedFamilies[it.key] = true
	h.page(path).items = append([]item{it}, h.page(path).items...)
	h.write(path)
}

// reword gives a line another text with the same meaning.
func (h *history) reword(path string, at int, text string) {
	it := h.pages[path].items[at]
	if text == it.text || slices.ContainsFunc(h.keysByText[text], func(key int) bool { return key != it.key }) {
		return
	}
	h.logStep("edit line %d in %s to %q", it.key, path, text)
	h.markChanged(it.key)
	h.setText(it.key, text)
	h.pages[path].items = slices.Clone(h.pages[path].items)
	h.pages[path].items[at].text = text
	h.write(path)
}

// restoreWording gives a line one of its earlier texts again, which may be far from
// the current one.
func (h *history) restoreWording() {
	path, at, ok := h.pickMemory()
	if !ok {
		return
	}
	it := h.pages[path].items[at]
	for _, text := range slices.Sorted(maps.Keys(h.facts[it.key].indexedTexts)) {
		if text != it.text && len(h.keysByText[text]) == 1 {
			h.reword(path, at, text)
			return
		}
	}
}

// edit changes one word in six or adds one in four, at most: a person still calls
// the text the same.
func (h *history) edit() {
	path, at, ok := h.pickMemory()
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
	path, at, ok := h.pickMemory()
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
	path, at, ok := h.pickMemory()
	if !ok {
		return
	}
	it := h.removeItem(path, at)
	h.markChanged(it.key)
	to := h.pickFile()
	h.logStep("move line %d from %s to %s", it.key, path, to)
	h.insertItem(to, it)
}

func (h *history) deleteOne() {
	path, at, ok := h.pickMemory()
	if !ok {
		return
	}
	it := h.removeItem(path, at)
	h.markChanged(it.key)
	h.logStep("delete line %d from %s", it.key, path)
	h.deletedItems = append(h.deletedItems, it)
}

// addAgain adds a deleted line again, unchanged, anywhere.
func (h *history) addAgain() {
	if len(h.deletedItems) == 0 {
		return
	}
	i := h.rnd.IntN(len(h.deletedItems))
	it := h.deletedItems[i]
	if h.changedFamilies[h.facts[it.key].family] || h.isPresent(it.key) || h.facts[it.key].text != it.text {
		return
	}
	h.deletedItems = slices.Delete(h.deletedItems, i, i+1)
	h.markChanged(it.key)
	path := h.pickFile()
	h.logStep("add line %d again, to %s", it.key, path)
	h.insertItem(path, it)
}

func (h *history) isPresent(key int) bool {
	for path := range h.pages {
		if h.isIn(key, path) {
			return true
		}
	}
	return false
}

// copyOne, variant and oldWording add a memory of its own with the same text as
// another, nearly the same, or an earlier one.
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
		for _, text := range slices.Sorted(maps.Keys(f.indexedTexts)) {
			if text != f.text {
				return text
			}
		}
		return ""
	})
}

func (h *history) addLike(what string, textOf func(*fact) string) {
	path, at, ok := h.pickMemory()
	if !ok {
		return
	}
	like := h.pages[path].items[at].key
	text := textOf(h.facts[like])
	if text == "" {
		return
	}
	h.markChanged(like)
	it := item{key: h.newFact(text, like), text: text}
	to := h.pickFile()
	h.logStep("add line %d (%q), %s of %d, to %s", it.key, text, what, like, to)
	renamed := h.renamedFiles[path] || h.renamedFiles[to]
	if (to == path || renamed) && h.ambiguous[h.facts[like].family] {
		h.markIndistinct(h.facts[like].family) // only their order tells these copies apart
	}
	h.insertItem(to, it)
}

func (h *history) shuffle() {
	path := h.pickFile()
	items := slices.Clone(h.page(path).items)
	h.logStep("shuffle %s", path)
	for _, it := range items {
		if it.key != 0 && h.ambiguous[h.facts[it.key].family] {
			h.markChanged(it.key)
		}
	}
	h.rnd.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	h.pages[path].items = items
	h.write(path)
}
