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
)

var decisions = []memory.Action{memory.ActionForget, memory.ActionForget, memory.ActionRestore, memory.ActionPin, memory.ActionPin,
	memory.ActionUnpin, memory.ActionPromote, memory.ActionDemote, memory.ActionArchive}

// decide decides about a random memory, whose text may be missing, and at times
// undoes the decision at once.
func (h *history) decide() {
	keys := slices.Sorted(maps.Keys(h.facts))
	key := keys[h.rnd.IntN(len(keys))]
	f := h.facts[key]
	if !f.indexed || f.indistinct && !h.isPresent(key) {
		return
	}
	was, wasForgotten := f.expected, maps.Clone(h.forgottenTexts)
	action := decisions[h.rnd.IntN(len(decisions))]
	if f.expected.forgotten || h.forgottenTexts[f.text] {
		action = memory.ActionRestore // half of the forgotten memories are restored
		if h.rnd.IntN(2) == 0 {
			action = memory.ActionPin
		}
	}
	if !h.decideAbout(key, action) || h.rnd.IntN(4) > 0 || f.indistinct {
		return
	}
	h.logStep("undo")
	h.tick()
	_, err := h.Decide(context.Background(), memory.DecideRequest{Action: memory.ActionUndo})
	h.must(err)
	switch action {
	case memory.ActionForget:
		h.restoreTexts(key)
	case memory.ActionRestore:
		h.forgottenTexts[f.text] = true
	}
	f.sidecarOnly = state{}
	if !h.isPresent(key) && len(h.entriesAbout(key)) == 0 {
		f.sidecarOnly = was
	}
	f.entries = h.entriesAbout(key) // undo may have removed the entry of a missing memory
	h.indexAndCheck()
	if h.forgottenTexts[f.text] != wasForgotten[f.text] || f.expected != was {
		h.fail("undo: line %d is %+v and was %+v, text forgotten %v and %v", key, f.expected, was, h.forgottenTexts[f.text], wasForgotten[f.text])
	}
}

// decideAbout reports whether the decision changed anything.
func (h *history) decideAbout(key int, action memory.Action) bool {
	f := h.facts[key]
	r := decideRequest(action, f.id)
	if action == memory.ActionDemote || action == memory.ActionPromote {
		r.Tier = []memory.Tier{"", "", memory.TierWarm, memory.TierCold}[h.rnd.IntN(4)]
	}
	h.logStep("%s line %d (%s) to %q", action, key, f.id.Short(), r.Tier)
	h.tick()
	a, err := h.Decide(context.Background(), r)
	h.must(err)
	if len(a.Changed) == 0 {
		h.indexAndCheck()
		return false
	}
	m := a.Changed[0]
	want := f.expected
	ever := h.everDecided[f.family]
	switch action {
	case memory.ActionForget:
		want.forgotten, ever.forgotten = true, true
		h.forgottenTexts[m.Text] = true
	case memory.ActionRestore:
		want.forgotten = false
		h.restoreTexts(key)
		h.restoreCopies(key)
	case memory.ActionPin, memory.ActionUnpin:
		want.pinned = action == memory.ActionPin
		ever.pinned = true
	}
	if action != memory.ActionForget && action != memory.ActionRestore && m.Tier != h.currentTier(f, m) {
		want.tier = m.Tier
	}
	ever.tiers[m.Tier] = true
	f.sidecarOnly, f.inherited = state{}, state{}
	if !h.isPresent(key) && len(h.entriesAbout(key)) == 0 {
		f.sidecarOnly = want
	}
	f.entries = h.entriesAbout(key) // entries that the command removed were not removed by hand
	h.indexAndCheck()
	if f.expected != want && !f.indistinct {
		h.fail("%s: line %d is declared as %+v in files, want %+v", action, key, f.expected, want)
	}
	return true
}

// restoreCopies records that restoring a memory restores every copy of its text:
// the command removed their entries.
func (h *history) restoreCopies(key int) {
	for other, f := range h.facts {
		if other != key && f.text == h.facts[key].text {
			f.entries = h.entriesAbout(other)
			f.sidecarOnly.forgotten, f.inherited.forgotten = false, false
		}
	}
}

// currentTier returns the tier that a memory has before the decision.
func (h *history) currentTier(f *fact, m memory.Memory) memory.Tier {
	switch {
	case f.expected.tier != "":
		return f.expected.tier
	case m.Path == "MEMORY.md":
		return memory.TierWarm
	}
	return memory.TierHot
}

func (h *history) entriesAbout(key int) map[string]state {
	found := map[string]state{}
	for _, path := range h.filesOnDisk() {
		src, err := os.ReadFile(filepath.Join(h.dir, path))
		h.must(err)
		for _, e := range frontmatter.Parse(src, nil).Entries {
			if h.keyOfEntry(e) == key {
				found[path] = declaredIn(e)
			}
		}
	}
	return found
}

// editLines adds or removes an entry about a memory by hand, in any file.
func (h *history) editLines() {
	at, n, ok := h.pickMemory()
	if !ok {
		return
	}
	key := h.pages[at].items[n].key
	f := h.facts[key]
	if f.indistinct || f.id == "" {
		return
	}
	path := h.pickFile()
	declared := memory.Declared{}
	if h.entriesAbout(key)[path] == (state{}) {
		yes := true
		if declared.Pinned = &yes; h.rnd.IntN(3) == 0 {
			declared = memory.Declared{Forgotten: &yes}
		}
	}
	src, err := os.ReadFile(filepath.Join(h.dir, path))
	if err != nil && !os.IsNotExist(err) {
		h.must(err)
	}
	text, err := frontmatter.Set(src, nil, []frontmatter.Change{{ID: f.id, Quote: chunker.QuoteOf(f.text), Declared: declared}})
	h.must(err)
	h.logStep("edit by hand in %s about line %d: pinned %v, forgotten %v", path, key, declared.Pinned != nil, declared.Forgotten != nil)
	ever := h.everDecided[f.family]
	ever.pinned, ever.forgotten = ever.pinned || declared.Pinned != nil, ever.forgotten || declared.Forgotten != nil
	h.page(path)
	h.must(os.MkdirAll(filepath.Dir(filepath.Join(h.dir, path)), 0o755))
	h.must(os.WriteFile(filepath.Join(h.dir, path), text, 0o644))
	h.indexAndCheck()
}

// loseDatabase deletes the database and, at times, the file beside it that lists
// forgotten texts. Decisions in files come back. An id comes back if it can be
// derived from the text or an entry names it.
func (h *history) loseDatabase() {
	listToo := h.rnd.IntN(2) == 0
	h.logStep("delete the database, and the list of forgotten texts: %v", listToo)
	h.must(h.Close())
	for _, name := range []string{"tiered.db", "tiered.db-wal", "tiered.db-shm", "tiered.backup.db", "tiered.forgotten"} {
		if name == "tiered.forgotten" && !listToo {
			continue
		}
		if err := os.Remove(filepath.Join(h.stateDir, name)); err != nil && !os.IsNotExist(err) {
			h.must(err)
		}
	}
	if listToo {
		h.forgottenTexts = map[string]bool{}
	}
	members := map[int]int{}
	for _, f := range h.facts {
		members[f.family]++
	}
	for key, f := range h.facts {
		f.indexed, f.sidecarOnly, f.inherited, f.entries, f.indexedTexts = false, state{}, state{}, nil, map[string]bool{}
		if members[f.family] > 1 || f.wordings > 1 && !h.quoteMatches(f) {
			h.markIndistinct(f.family)
		}
		if !h.isPresent(key) && f.id != firstID(f.text) || len(f.quotes) == 0 && f.id != firstID(f.text) {
			f.id = ""
		}
	}
	h.open()
	h.indexAndCheck()
}

func firstID(text string) memory.ID { return memory.NewID(chunker.Fingerprint(text), 0) }

// quoteMatches reports whether the memory's text still begins with an entry's quote.
func (h *history) quoteMatches(f *fact) bool {
	return slices.ContainsFunc(f.quotes, func(q string) bool { return chunker.QuoteFits(q, f.text) })
}
