package identity_test

import (
	"fmt"
	"slices"
	"strings"
)

func (h *history) insert() {
	l := h.newLine(h.sentence(1 + h.rnd.IntN(14)))
	path := h.randomPath()
	h.logf("insert line %d (%q) into %s", l.key, l.text, path)
	h.insertLine(path, l)
}

// insertVariant adds a text that follows the same pattern as an existing one.
func (h *history) insertVariant() {
	path, at, ok := h.pickLine()
	if !ok {
		return
	}
	like := h.w.disk[path][at]
	words := strings.Fields(like.text)
	words[h.rnd.IntN(len(words))] = h.word()
	l := h.newLine(strings.Join(words, " "))
	h.family[l.key] = h.family[like.key]
	h.logf("insert line %d (%q), a variant of %d", l.key, l.text, like.key)
	h.insertLine(path, l)
}

// edit changes at most one word in six or adds at most one in four: such a text
// is still the same memory.
func (h *history) edit() {
	path, at, ok := h.pickLine()
	if !ok {
		return
	}
	l := h.w.disk[path][at]
	now, ok := h.lightEdit(l.text)
	if !ok {
		return
	}
	h.logf("edit line %d to %q", l.key, now)
	h.pastTexts[l.key] = append(h.pastTexts[l.key], l.text)
	h.w.disk[path] = slices.Clone(h.w.disk[path])
	h.w.disk[path][at].text = now
}

func (h *history) lightEdit(text string) (string, bool) {
	words := strings.Fields(text)
	if len(words) < 4 {
		return "", false
	}
	switch i := h.rnd.IntN(len(words)); h.rnd.IntN(4) {
	case 0:
		for range 1 + len(words)/12 {
			words[h.rnd.IntN(len(words))] = h.word()
		}
	case 1:
		words = slices.Insert(words, i, h.word())
	case 2:
		words = slices.Delete(words, i, i+1)
	default:
		clause := strings.Fields(h.sentence(1 + len(words)/4))
		words = slices.Insert(words, i, clause...)
	}
	return strings.Join(words, " "), true
}

// move moves a line to another place in its file or in another file.
func (h *history) move() {
	path, at, ok := h.pickLine()
	if !ok {
		return
	}
	l, to := h.removeLine(path, at), h.randomPath()
	h.logf("move line %d from %s to %s", l.key, path, to)
	h.insertLine(to, l)
}

func (h *history) copy() {
	path, at, ok := h.pickLine()
	if !ok {
		return
	}
	l := h.newLine(h.w.disk[path][at].text)
	h.family[l.key] = h.family[h.w.disk[path][at].key]
	to := h.randomPath()
	h.logf("copy line %d to %s as %d", h.w.disk[path][at].key, to, l.key)
	h.insertLine(to, l)
}

func (h *history) delete() {
	path, at, ok := h.pickLine()
	if !ok {
		return
	}
	l := h.removeLine(path, at)
	h.logf("delete line %d", l.key)
	h.removed = append(h.removed, l)
}

// restore inserts a deleted line again, unchanged.
func (h *history) restore() {
	if len(h.removed) == 0 {
		return
	}
	i := h.rnd.IntN(len(h.removed))
	l := h.removed[i]
	if h.touched[h.family[l.key]] || h.exists(l.key) {
		return
	}
	h.touched[h.family[l.key]] = true
	h.removed = slices.Delete(h.removed, i, i+1)
	h.logf("add line %d again", l.key)
	h.insertLine(h.randomPath(), l)
}

func (h *history) exists(key int) bool {
	for _, lines := range h.w.disk {
		if slices.ContainsFunc(lines, func(l line) bool { return l.key == key }) {
			return true
		}
	}
	return false
}

func (h *history) shuffle() {
	path := h.randomPath()
	h.logf("shuffle %s", path)
	lines := slices.Clone(h.w.disk[path])
	h.rnd.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	h.w.disk[path] = lines
}

// rename renames a file, and sometimes edits a line of it.
func (h *history) rename() {
	path := h.randomPath()
	h.lastKey++
	to := fmt.Sprintf("f%d.md", h.lastKey)
	h.logf("rename %s to %s", path, to)
	h.w.disk[to] = h.w.disk[path]
	delete(h.w.disk, path)
	if h.rnd.IntN(2) == 0 {
		h.edit()
	}
}

func (h *history) changeHeading() {
	path := h.randomPath()
	lines := slices.Clone(h.w.disk[path])
	if len(lines) == 0 {
		return
	}
	from, title := h.rnd.IntN(len(lines)), h.word()
	h.logf("put heading %s over line %d", title, lines[from].key)
	old := lines[from].heading
	for i := from; i < len(lines) && lines[i].heading == old; i++ {
		lines[i].heading = title
	}
	h.w.disk[path] = lines
}

// replace replaces a line by another text.
func (h *history) replace() {
	path, at, ok := h.pickLine()
	if !ok {
		return
	}
	l := h.newLine(h.sentence(6))
	h.logf("replace line %d by %d (%q)", h.w.disk[path][at].key, l.key, l.text)
	h.removed = append(h.removed, h.w.disk[path][at])
	h.w.disk[path] = slices.Clone(h.w.disk[path])
	l.heading = h.w.disk[path][at].heading
	h.w.disk[path][at] = l
}

// reusePastText inserts a new line with a past text of another line.
func (h *history) reusePastText() {
	path, at, ok := h.pickLine()
	if !ok {
		return
	}
	old := h.pastTexts[h.w.disk[path][at].key]
	if len(old) == 0 {
		return
	}
	l := h.newLine(old[len(old)-1])
	h.family[l.key] = h.family[h.w.disk[path][at].key]
	h.logf("write line %d with the old wording of %d", l.key, h.w.disk[path][at].key)
	h.insertLine(path, l)
}

// split splits a line in two; the longer part keeps the memory.
func (h *history) split() {
	path, at, ok := h.pickLine()
	if !ok {
		return
	}
	l := h.w.disk[path][at]
	words := strings.Fields(l.text)
	if len(words) < 6 || h.ambiguous[l.key] {
		return // a merged line may split into copies of existing lines
	}
	cut := len(words)/2 + 1
	if h.keysWithText[strings.Join(words[:cut], " ")] != nil || h.keysWithText[strings.Join(words[cut:], " ")] != nil {
		return // a copy was split like this before, and its parts exist
	}
	h.ambiguous[l.key] = true
	rest := h.newLine(strings.Join(words[cut:], " "))
	rest.heading, rest.user = l.heading, l.user
	h.ambiguous[rest.key], h.family[rest.key] = true, h.family[l.key]
	l.text = strings.Join(words[:cut], " ")
	h.logf("split line %d into %q and %q", l.key, l.text, rest.text)
	lines := slices.Clone(h.w.disk[path])
	lines[at] = l
	h.w.disk[path] = slices.Insert(lines, at+1, rest)
}

// merge joins a line and the next one; the longer one keeps the memory.
func (h *history) merge() {
	path, at, ok := h.pickLine()
	if !ok || at+1 >= len(h.w.disk[path]) || h.touched[h.family[h.w.disk[path][at+1].key]] {
		return
	}
	lines := slices.Clone(h.w.disk[path])
	a, b := lines[at], lines[at+1]
	h.touched[h.family[b.key]] = true
	h.logf("merge lines %d and %d", a.key, b.key)
	text := a.text + " " + b.text
	oldA, oldB := h.idsOf[a.key] != nil, h.idsOf[b.key] != nil
	longer := len(strings.Fields(b.text)) - len(strings.Fields(a.text))
	if oldA && oldB && longer*longer < 16 {
		return // too similar in length to tell which one keeps the memory
	}
	if oldB && (!oldA || longer > 0) {
		a = b
	}
	h.ambiguous[a.key] = true
	a.text = text
	lines[at] = a
	h.w.disk[path] = slices.Delete(lines, at+1, at+2)
}

// checkout switches to the other branch, which begins as a copy of this one.
func (h *history) checkout() {
	if h.otherBranch == nil {
		h.logf("branch")
		h.otherBranch = h.w.disk.clone()
		return
	}
	h.logf("check out the other branch")
	h.w.disk, h.otherBranch = h.otherBranch, h.w.disk.clone()
	h.removed = nil
	h.save()
}

func (h *history) moveInTwoSaves() {
	path, at, ok := h.pickLine()
	if !ok {
		return
	}
	l := h.w.disk[path][at]
	to := h.randomPath()
	if to == path {
		h.newFile()
		to = fmt.Sprintf("f%d.md", h.lastKey-1)
	}
	h.logf("move line %d from %s to %s in two saves", l.key, path, to)
	twin := h.newLine(l.text)
	twin.user = l.user
	h.ambiguous[twin.key] = true
	h.insertLine(to, twin)
	h.save()
	h.removeLine(path, at)
	for i, c := range h.w.disk[to] {
		if c.key == twin.key {
			h.w.disk[to] = slices.Clone(h.w.disk[to])
			h.w.disk[to][i].key = l.key
		}
	}
	h.save(path)
	h.w.indexed[to] = slices.Clone(h.w.disk[to])
	delete(h.keysWithText[l.text], twin.key)
	for i, c := range h.w.disk[to] {
		if c.key == l.key && !h.sharesText(c) && !h.ambiguous[l.key] && !slices.Contains(h.idsOf[l.key], h.w.idsAt[to][i]) {
			h.fail("line %d moved in two saves and became memory %s", l.key, h.w.idsAt[to][i].Short())
		}
	}
}
