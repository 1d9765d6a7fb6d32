package identity_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/identity"
	"github.com/memory-tiered/memory/internal/property"
)

// history simulates a person who edits a few files and knows the meaning of
// each line. It edits, saves, and checks which memory each line must be.
type history struct {
	t   *rapid.T
	rnd *rand.Rand
	w   *world

	lastKey        int
	idsOf          map[int][]memory.ID     // key → its memory; several where equal copies changed places
	keysWithText   map[string]map[int]bool // text → keys that ever had it
	family         map[int]int             // key → the first key of the lines with the same pattern
	ambiguous      map[int]bool            // keys that may become another memory after a split or merge
	removed        []line                  // deleted lines that restore may insert
	pastTexts      map[int][]string        // key → past texts
	takenOverTexts map[string]bool         // texts with a copy that was taken over
	touched        map[int]bool            // families already changed since the last save
	otherBranch    files                   // files of the branch that is not checked out
	log            []string
}

func newHistory(t *rapid.T) *history {
	return &history{t: t, rnd: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)), w: newWorld(),
		idsOf: map[int][]memory.ID{}, keysWithText: map[string]map[int]bool{}, family: map[int]int{}, ambiguous: map[int]bool{},
		pastTexts: map[int][]string{}, touched: map[int]bool{}, takenOverTexts: map[string]bool{}}
}

// TestRandomEditsKeepMemories checks three rules. A text that survives
// unchanged keeps its memory, a light edit in place does too, and no memory
// moves to a line with another meaning.
func TestRandomEditsKeepMemories(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		h := newHistory(t)
		for range 3 {
			h.insert()
			h.insert()
			h.newFile()
		}
		h.save()
		edits := map[string]func(){"insert": h.insert, "variant": h.insertVariant, "edit": h.edit, "move": h.move, "copy": h.copy,
			"delete": h.delete, "return": h.restore, "shuffle": h.shuffle, "rename": h.rename, "heading": h.changeHeading,
			"rewrite": h.replace, "reword": h.reusePastText, "split": h.split, "merge": h.merge}
		names := slices.Sorted(maps.Keys(edits))
		for range rapid.IntRange(1, 12).Draw(t, "saves") {
			switch rapid.IntRange(0, 7).Draw(t, "save") {
			case 0:
				h.checkout()
			case 1:
				h.moveInTwoSaves()
			default:
				for range rapid.IntRange(1, 4).Draw(t, "edits") {
					edits[rapid.SampledFrom(names).Draw(t, "edit")]()
				}
				h.save()
			}
		}
	})
}

func (h *history) logf(format string, args ...any) {
	h.log = append(h.log, fmt.Sprintf(format, args...))
}

// word makes a random word; two texts rarely share one.
func (h *history) word() string {
	var b strings.Builder
	for range 2 + h.rnd.IntN(3) {
		b.WriteByte("bdfgklmnprstvz"[h.rnd.IntN(14)])
		b.WriteByte("aeiou"[h.rnd.IntN(5)])
	}
	return b.String()
}

func (h *history) sentence(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = h.word()
	}
	return strings.Join(words, " ")
}

func (h *history) newLine(text string) line {
	h.lastKey++
	h.family[h.lastKey] = h.lastKey
	return line{key: h.lastKey, text: text, user: []string{"", "", "lena", "ben"}[h.rnd.IntN(4)]}
}

// recordText records that a key has a text.
func (h *history) recordText(l line) {
	if h.keysWithText[l.text] == nil {
		h.keysWithText[l.text] = map[int]bool{}
	}
	h.keysWithText[l.text][l.key] = true
}

func (h *history) paths() []string { return slices.Sorted(maps.Keys(h.w.disk)) }

func (h *history) randomPath() string {
	if len(h.w.disk) == 0 {
		h.newFile()
	}
	paths := h.paths()
	return paths[h.rnd.IntN(len(paths))]
}

func (h *history) newFile() {
	h.lastKey++
	h.w.disk[fmt.Sprintf("f%d.md", h.lastKey)] = []line{h.newLine(h.sentence(8))}
}

// insertLine inserts a line at a random place, under the heading of that place.
func (h *history) insertLine(path string, l line) {
	lines := h.w.disk[path]
	at := h.rnd.IntN(len(lines) + 1)
	l.heading = ""
	if at > 0 {
		l.heading = lines[at-1].heading
	}
	h.w.disk[path] = slices.Insert(lines, at, l)
}

// pickLine picks a random line that was not changed since the last save.
func (h *history) pickLine() (path string, at int, ok bool) {
	var places []func() (string, int)
	for _, p := range h.paths() {
		for i, l := range h.w.disk[p] {
			if !h.touched[h.family[l.key]] {
				places = append(places, func() (string, int) { return p, i })
			}
		}
	}
	if len(places) == 0 {
		return "", 0, false
	}
	path, at = places[h.rnd.IntN(len(places))]()
	h.touched[h.family[h.w.disk[path][at].key]] = true
	return path, at, true
}

func (h *history) removeLine(path string, at int) line {
	l := h.w.disk[path][at]
	h.w.disk[path] = slices.Delete(slices.Clone(h.w.disk[path]), at, at+1)
	return l
}

// save indexes the changed files and checks every line.
func (h *history) save(paths ...string) {
	before := maps.Clone(h.w.known)
	h.w.save(paths...)
	for _, t := range h.w.last.TakeOvers {
		h.takenOverTexts[before[t.Younger].Text] = true
	}
	clear(h.touched)
	if err := h.w.check(); err != nil {
		h.fail("%v", err)
	}
	for _, lines := range h.w.indexed {
		for _, l := range lines {
			h.recordText(l)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(h.w.idsAt)) {
		for i, id := range h.w.idsAt[path] {
			h.checkLine(before, h.w.indexed[path][i], id)
		}
	}
}

func (h *history) checkLine(before map[memory.ID]identity.KnownMemory, l line, id memory.ID) {
	was, seen := before[id]
	mine := h.idsOf[l.key]
	switch {
	case slices.Contains(mine, id):
		return
	case seen && h.hadSameText(l, was):
		// Copies that were edited in different ways, perhaps on branches,
		// cannot be told apart once they have the same text again.
	case seen && h.takenOverTexts[l.text]:
		// One of two copies was taken over. If both return, one is new or an
		// edit of another removed line.
	case seen:
		h.fail("memory %s (%q) moved to line %d (%q)", id.Short(), was.Text, l.key, l.text)
	case len(mine) > 0 && !h.ambiguous[l.key] && !h.sharesText(l):
		h.fail("line %d (%q) was memory %s and is now %s", l.key, l.text, mine[0].Short(), id.Short())
	}
	h.idsOf[l.key] = append(mine, id)
}

// sharesText reports whether another line has or had a text that this line has
// or had. No text can tell which of the two returns.
func (h *history) sharesText(l line) bool {
	for _, keys := range h.keysWithText {
		if keys[l.key] && len(keys) > 1 {
			return true
		}
	}
	return false
}

// hadSameText reports whether a line and a memory had the same text at some
// time.
func (h *history) hadSameText(l line, k identity.KnownMemory) bool {
	for text, keys := range h.keysWithText {
		if keys[l.key] && slices.Contains(k.PastFingerprints, fingerprint(text)) {
			return true
		}
	}
	return false
}

func (h *history) fail(format string, args ...any) {
	h.t.Fatalf("%s\nafter: %s", fmt.Sprintf(format, args...), strings.Join(h.log, "\n       "))
}
