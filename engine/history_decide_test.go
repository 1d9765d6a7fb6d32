package engine_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/identity"
)

var decisions = []memory.Action{memory.ActionForget, memory.ActionForget, memory.ActionRestore, memory.ActionPin, memory.ActionPin,
	memory.ActionUnpin, memory.ActionPromote, memory.ActionDemote, memory.ActionArchive}

// decide decides something about a memory, one whose text is gone at times, and
// perhaps takes it back at once.
func (h *history) decide() {
	keys := slices.Sorted(maps.Keys(h.facts))
	key := keys[h.rnd.IntN(len(keys))]
	f := h.facts[key]
	if !f.known || f.loose && !h.stands(key) {
		return
	}
	was, wasMarked := f.said, maps.Clone(h.marked)
	action := decisions[h.rnd.IntN(len(decisions))]
	if f.said.forgotten || h.marked[f.text] {
		action = memory.ActionRestore // half of the forgotten come back
		if h.rnd.IntN(2) == 0 {
			action = memory.ActionPin
		}
	}
	if !h.decideAbout(key, action) || h.rnd.IntN(4) > 0 || f.loose {
		return
	}
	h.note("undo")
	h.tick()
	_, err := h.Decide(context.Background(), memory.DecideRequest{Action: memory.ActionUndo})
	h.must(err)
	switch action {
	case memory.ActionForget:
		h.unmark(key)
	case memory.ActionRestore:
		h.marked[f.text] = true
	}
	f.aside = state{}
	if !h.stands(key) && len(h.linesAbout(key)) == 0 {
		f.aside = was
	}
	h.look()
	if h.marked[f.text] != wasMarked[f.text] || f.said != was {
		h.fail("undo: line %d is %+v and was %+v, marked %v and %v", key, f.said, was, h.marked[f.text], wasMarked[f.text])
	}
}

// decideAbout says whether the decision has changed anything.
func (h *history) decideAbout(key int, action memory.Action) bool {
	f := h.facts[key]
	r := about(action, f.id)
	if action == memory.ActionDemote || action == memory.ActionPromote {
		r.Tier = []memory.Tier{"", "", memory.TierWarm, memory.TierCold}[h.rnd.IntN(4)]
	}
	h.note("%s line %d (%s) to %q", action, key, f.id.Short(), r.Tier)
	h.tick()
	a, err := h.Decide(context.Background(), r)
	h.must(err)
	if len(a.Changed) == 0 {
		h.look()
		return false
	}
	m := a.Changed[0]
	want := f.said
	ever := h.ever[f.family]
	switch action {
	case memory.ActionForget:
		want.forgotten, ever.forgotten = true, true
		h.marked[m.Text] = true
	case memory.ActionRestore:
		want.forgotten = false
		h.unmark(key)
		h.restoreCopies(key)
	case memory.ActionPin, memory.ActionUnpin:
		want.pinned = action == memory.ActionPin
		ever.pinned = true
	}
	if action != memory.ActionForget && action != memory.ActionRestore && m.Tier != h.tierNow(f, m) {
		want.tier = m.Tier
	}
	ever.tiers[m.Tier] = true
	f.aside, f.inherited = state{}, state{}
	if !h.stands(key) && len(h.linesAbout(key)) == 0 {
		f.aside = want
	}
	f.lines = h.linesAbout(key) // what the command took out of files is no hand's doing
	h.look()
	if f.said != want && !f.loose {
		h.fail("%s: line %d is said to be %+v in files, and should be %+v", action, key, f.said, want)
	}
	return true
}

// restoreCopies: restoring a memory restores every copy of its text, whose lines
// the command took out of their files.
func (h *history) restoreCopies(key int) {
	for other, f := range h.facts {
		if other != key && f.text == h.facts[key].text {
			f.lines = h.linesAbout(other)
			f.aside.forgotten, f.inherited.forgotten = false, false
		}
	}
}

// tierNow is the tier that a memory has for what is known so far.
func (h *history) tierNow(f *fact, m memory.Memory) memory.Tier {
	switch {
	case f.said.tier != "":
		return f.said.tier
	case m.Path == "MEMORY.md":
		return memory.TierWarm
	}
	return memory.TierHot
}

func (h *history) linesAbout(key int) map[string]state {
	found := map[string]state{}
	for _, path := range h.onDisk() {
		src, err := os.ReadFile(filepath.Join(h.dir, path))
		h.must(err)
		for _, e := range frontmatter.Parse(src, nil).Entries {
			if h.spokenOf(e) == key {
				found[path] = declaredIn(e)
			}
		}
	}
	return found
}

// editLines decides by hand: a line about a memory in any file, or one less.
func (h *history) editLines() {
	at, n, ok := h.pick()
	if !ok {
		return
	}
	key := h.pages[at].items[n].key
	f := h.facts[key]
	if f.loose || f.id == "" {
		return
	}
	path := h.file()
	said := memory.Declared{}
	if h.linesAbout(key)[path] == (state{}) {
		yes := true
		if said.Pinned = &yes; h.rnd.IntN(3) == 0 {
			said = memory.Declared{Forgotten: &yes}
		}
	}
	src, err := os.ReadFile(filepath.Join(h.dir, path))
	if err != nil && !os.IsNotExist(err) {
		h.must(err)
	}
	text, err := frontmatter.Set(src, nil, []frontmatter.Change{{ID: f.id, Quote: frontmatter.Quote(f.text), Declared: said}})
	h.must(err)
	h.note("by hand in %s of line %d: pinned %v, forgotten %v", path, key, said.Pinned != nil, said.Forgotten != nil)
	ever := h.ever[f.family]
	ever.pinned, ever.forgotten = ever.pinned || said.Pinned != nil, ever.forgotten || said.Forgotten != nil
	h.page(path)
	h.must(os.MkdirAll(filepath.Dir(filepath.Join(h.dir, path)), 0o755))
	h.must(os.WriteFile(filepath.Join(h.dir, path), text, 0o644))
	h.look()
}

// lose deletes the database, and at times the file beside it that remembers what
// is forgotten. What stands in files is back; an id is known again where it can
// be made from the text, or is named by a line.
func (h *history) lose() {
	mirror := h.rnd.IntN(2) == 0
	h.note("delete the database, and what is beside it: %v", mirror)
	h.must(h.Close())
	for _, name := range []string{"tiered.db", "tiered.db-wal", "tiered.db-shm", "tiered.backup.db", "tiered.forgotten"} {
		if name == "tiered.forgotten" && !mirror {
			continue
		}
		if err := os.Remove(filepath.Join(h.home, name)); err != nil && !os.IsNotExist(err) {
			h.must(err)
		}
	}
	if mirror {
		h.marked = map[string]bool{}
	}
	members := map[int]int{}
	for _, f := range h.facts {
		members[f.family]++
	}
	for key, f := range h.facts {
		f.known, f.aside, f.inherited, f.lines, f.seen = false, state{}, state{}, nil, map[string]bool{}
		if members[f.family] > 1 || f.wordings > 1 && !h.named(f) {
			h.loosen(f.family)
		}
		if !h.stands(key) && f.id != bornAs(f.text) || len(f.quotes) == 0 && f.id != bornAs(f.text) {
			f.id = ""
		}
	}
	h.open()
	h.look()
}

func bornAs(text string) memory.ID { return memory.NewID(chunker.Fingerprint(text), 0) }

// named says that a line about a memory still reads as its text does.
func (h *history) named(f *fact) bool {
	return slices.ContainsFunc(f.quotes, func(q string) bool {
		return identity.Similarity(q, frontmatter.Quote(f.text)) >= 0.7
	})
}
