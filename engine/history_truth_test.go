package engine_test

import (
	"cmp"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/frontmatter"
)

// state is what was decided about one memory.
type state struct {
	pinned, forgotten bool
	tier              memory.Tier
}

func (s state) over(weaker state) state {
	return state{s.pinned || weaker.pinned, s.forgotten || weaker.forgotten, cmp.Or(s.tier, weaker.tier)}
}

// stateSet is every decision ever made about a family.
type stateSet struct {
	pinned, forgotten bool
	tiers             map[memory.Tier]bool
}

// fact is the model's record of one memory. Facts of one family have texts that
// resemble each other.
type fact struct {
	family       int
	indistinct   bool // no text tells it from the others of its family
	id           memory.ID
	indexed      bool             // this database has indexed it
	text         string           // its last text
	expected     state            // the state that must hold now
	entries      map[string]state // file → what its entry declared at the last scan
	quotes       []string         // of those entries
	sidecarOnly  state            // decided while it was in no file
	inherited    state            // from an entry that went with its file
	indexedTexts map[string]bool  // texts with which this database has indexed it
	wordings     int
}

// newFact returns the key of a new fact. like is a fact of the same family, or 0.
func (h *history) newFact(text string, like int) int {
	key := len(h.facts) + 1
	f := &fact{family: key, text: text, indexedTexts: map[string]bool{}}
	h.facts[key] = f
	if like != 0 {
		f.family, f.indistinct = h.facts[like].family, h.facts[like].indistinct
	} else {
		h.everDecided[key] = &stateSet{tiers: map[memory.Tier]bool{}}
	}
	h.setText(key, text)
	return key
}

// setText records that a fact has a text.
func (h *history) setText(key int, text string) {
	f := h.facts[key]
	f.text = text
	f.wordings++
	if !slices.Contains(h.keysByText[text], key) {
		h.keysByText[text] = append(h.keysByText[text], key)
	}
	if len(h.keysByText[text]) > 1 {
		h.ambiguous[f.family] = true
	}
}

// markIndistinct records that no text tells the members of a family apart. From
// then on each may have any state that one of them ever had.
func (h *history) markIndistinct(family int) {
	for _, f := range h.facts {
		if f.family == family {
			f.indistinct = true
		}
	}
}

// mergeFamilies makes one family of two whose texts were joined.
func (h *history) mergeFamilies(a, b int) {
	for _, f := range h.facts {
		if f.family == b {
			f.family = a
		}
	}
	if a != b {
		from, to := h.everDecided[b], h.everDecided[a]
		to.pinned, to.forgotten = to.pinned || from.pinned, to.forgotten || from.forgotten
		maps.Copy(to.tiers, from.tiers)
	}
	h.changedFamilies[a] = true
	h.markIndistinct(a)
}

// indexAndCheck indexes all changes and checks every memory against the model.
func (h *history) indexAndCheck() {
	h.tick()
	h.tally.scans++
	_, err := h.Index(context.Background(), memory.IndexRequest{}, nil)
	h.must(err)
	h.updateExpected()
	h.check()
	h.must(checkCounts(h.Engine, filepath.Join(h.stateDir, "tiered.db")))
	clear(h.changedFamilies)
	clear(h.changedFiles)
	clear(h.renamedFiles)
}

// updateExpected derives what must hold now, from the entries on disk and from
// those that are gone.
func (h *history) updateExpected() {
	switched := h.gitHead() != h.lastHead
	h.lastHead = h.gitHead()
	lines := map[int]map[string]state{}
	for _, f := range h.facts {
		f.quotes = nil
	}
	for _, path := range h.filesOnDisk() {
		src, err := os.ReadFile(filepath.Join(h.dir, path))
		h.must(err)
		m := frontmatter.Parse(src, nil)
		if m.HasConflict { // the last indexed content stays
			for key, f := range h.facts {
				if declared, was := f.entries[path]; was {
					lines[key] = addState(lines[key], path, declared)
				}
			}
			continue
		}
		for _, e := range m.Entries {
			if key := h.keyOfEntry(e); key != 0 {
				lines[key] = addState(lines[key], path, declaredIn(e))
				h.facts[key].quotes = append(h.facts[key].quotes, e.Quote)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(h.facts)) {
		h.updateFact(key, lines[key], switched)
	}
	for key, f := range h.facts {
		if f.declared().forgotten && (f.indexed || h.isPresent(key)) { // a database cannot forget a text that it never indexed
			h.forgottenTexts[f.text] = true
			for text := range f.indexedTexts { // those before an edit too
				h.forgottenTexts[text] = true
			}
		}
	}
}

func addState(declared map[string]state, path string, s state) map[string]state {
	if declared == nil {
		declared = map[string]state{}
	}
	declared[path] = s
	return declared
}

func (h *history) updateFact(key int, is map[string]state, switched bool) {
	f := h.facts[key]
	was := f.entries
	if f.entries = is; !f.indexed {
		was = nil // it cannot remember entries about a memory that it never indexed
	}
	if len(is) > 0 {
		f.inherited = state{}
	}
	takenBack, stays := false, state{}
	for _, path := range slices.Sorted(maps.Keys(was)) {
		kept := was[path]
		if h.isIn(key, path) {
			if kept.forgotten && !switched {
				takenBack = true
			}
			// Pins and tiers follow the file. A text that is forgotten on one
			// branch stays forgotten on another.
			kept = state{forgotten: kept.forgotten && switched}
			if !kept.forgotten {
				continue
			}
		}
		stays = stays.over(kept)
	}
	if len(is) == 0 && stays != (state{}) {
		f.inherited = stays
	}
	if takenBack && !f.declared().forgotten && !h.copyForgotten(key) {
		h.restoreTexts(key)
	}
	f.expected = f.declared().over(f.sidecarOnly).over(f.inherited)
}

// declared returns the sum of the entries about a fact.
func (f *fact) declared() (s state) {
	for _, path := range slices.Sorted(maps.Keys(f.entries)) {
		s = s.over(f.entries[path])
	}
	return s
}

func (h *history) copyForgotten(key int) bool {
	for other, f := range h.facts {
		if other != key && f.text == h.facts[key].text && f.declared().forgotten {
			return true
		}
	}
	return false
}

func (h *history) restoreTexts(key int) {
	f := h.facts[key]
	delete(h.forgottenTexts, f.text)
	for text := range f.indexedTexts {
		delete(h.forgottenTexts, text)
	}
}

func (h *history) isIn(key int, path string) bool {
	p := h.pages[path]
	return p != nil && slices.ContainsFunc(p.items, func(it item) bool { return it.key == key })
}

// keyOfEntry returns the fact that an entry names by its id.
func (h *history) keyOfEntry(e memory.Entry) int {
	return h.keyByID[e.IDPrefix]
}

func declaredIn(e memory.Entry) (s state) {
	s.pinned = e.Declared.Pinned != nil && *e.Declared.Pinned
	s.forgotten = e.Declared.Forgotten != nil && *e.Declared.Forgotten
	s.tier = e.Declared.Tier
	return s
}

// check compares each memory in a file with its fact.
func (h *history) check() {
	found := h.memories()
	lines := 0
	for _, path := range slices.Sorted(maps.Keys(h.pages)) {
		at := found[path]
		for _, it := range h.pages[path].items {
			if it.key == 0 {
				continue
			}
			lines++
			if len(at) == 0 || at[0].Text != it.text {
				h.fail("%s has the line %q and not its memory (%v)", path, it.text, at)
			}
			h.checkID(it.key, at[0])
			h.checkState(it.key, at[0])
			at = at[1:]
		}
		if len(at) > 0 {
			h.fail("%s has an extra memory: %q", path, at[0].Text)
		}
	}
	h.tally.memories += lines
}

// memories returns the memories of each file, in order.
func (h *history) memories() map[string][]memory.Memory {
	found := map[string][]memory.Memory{}
	for _, forgotten := range []bool{false, true} {
		list, err := h.List(context.Background(), memory.ListRequest{Filter: memory.Filter{Forgotten: forgotten}})
		h.must(err)
		for _, m := range list.Memories {
			if m.Forgotten != forgotten {
				h.fail("%s is in the list with forgotten=%v", m.ID, forgotten)
			}
			found[m.Path] = append(found[m.Path], m)
		}
	}
	for _, list := range found {
		slices.SortFunc(list, func(a, b memory.Memory) int { return cmp.Compare(a.LineStart, b.LineStart) })
	}
	return found
}

func (h *history) checkID(key int, m memory.Memory) {
	f := h.facts[key]
	if owner, owned := h.keyByID[m.ID.InFile()]; owned && owner != key {
		if of := h.facts[owner]; of.family != f.family || !of.indistinct || !f.indistinct {
			h.tally.jumps++
			h.fail("memory %s moved from line %d to line %d (%q)", m.ID.Short(), owner, key, m.Text)
		}
	}
	if f.id != "" && f.id.InFile() != m.ID.InFile() && !f.indistinct { // files hold 12 digits, which is all that outlives a database
		h.tally.lost++
		h.fail("line %d (%q) was memory %s and is now %s", key, m.Text, f.id.Short(), m.ID.Short())
	}
	f.id, f.indexed, f.indexedTexts[m.Text] = m.ID, true, true
	h.keyByID[m.ID.InFile()] = key
}

func (h *history) checkState(key int, m memory.Memory) {
	f := h.facts[key]
	starts := memory.TierHot
	if m.Path == "MEMORY.md" {
		starts = memory.TierWarm
	}
	is := state{pinned: m.Pinned, forgotten: m.Forgotten}
	if m.InDoubt != "" && !f.expected.forgotten { // its file is withheld, and names the line
		h.tally.withheld++
		is.forgotten = h.forgottenTexts[m.Text]
	}
	if m.Tier != starts {
		is.tier = m.Tier
	}
	want := f.expected
	want.forgotten = want.forgotten || h.forgottenTexts[m.Text]
	if want.tier == starts {
		want.tier = ""
	}
	if f.indistinct {
		h.checkFamily(key, m, is, want)
		return
	}
	switch {
	case is == want && is != state{}:
		h.tally.statesKept++
	case is == want:
	case is.pinned && !want.pinned, is.forgotten && !want.forgotten, is.tier != "" && is.tier != want.tier:
		h.tally.jumps++
		h.fail("line %d (%q, memory %s in %s) is %+v, and was decided to be %+v", key, m.Text, m.ID.Short(), m.Path, is, want)
	default:
		h.tally.lost++
		h.fail("line %d (%q, memory %s in %s) was decided to be %+v, and is %+v", key, m.Text, m.ID.Short(), m.Path, want, is)
	}
}

// checkFamily checks that an indistinct memory has no state that no member of its
// family ever had.
func (h *history) checkFamily(key int, m memory.Memory, is, want state) {
	ever := h.everDecided[h.facts[key].family]
	if is.pinned && !ever.pinned || is.forgotten && !ever.forgotten && !want.forgotten || is.tier != "" && !ever.tiers[is.tier] {
		h.tally.jumps++
		h.fail("line %d (%q, memory %s) is %+v, which no member of its family ever was", key, m.Text, m.ID.Short(), is)
	}
	if is != (state{}) {
		h.tally.indistinct++
	}
}
