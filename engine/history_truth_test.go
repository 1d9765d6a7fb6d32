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

// stateSet is all that was ever decided about a family.
type stateSet struct {
	pinned, forgotten bool
	tiers             map[memory.Tier]bool
}

// fact is what is known of what a line means.
type fact struct {
	family    int
	loose     bool // no text can tell any more which of its family it is
	id        memory.ID
	known     bool             // this database has seen it
	text      string           // as it was last
	said      state            // what holds now
	lines     map[string]state // file → what its front matter says, as last looked at
	quotes    []string         // of those lines
	aside     state            // decided while it stood nowhere
	inherited state            // what a line said that went with its file
	seen      map[string]bool  // texts that this database has seen it with
	wordings  int
}

// mean gives a text a meaning of its own; like is one of the same make, or 0.
func (h *history) mean(text string, like int) int {
	key := len(h.facts) + 1
	f := &fact{family: key, text: text, seen: map[string]bool{}}
	h.facts[key] = f
	if like != 0 {
		f.family, f.loose = h.facts[like].family, h.facts[like].loose
	} else {
		h.ever[key] = &stateSet{tiers: map[memory.Tier]bool{}}
	}
	h.say(key, text)
	return key
}

// say notes that a meaning has a text.
func (h *history) say(key int, text string) {
	f := h.facts[key]
	f.text = text
	f.wordings++
	if !slices.Contains(h.holders[text], key) {
		h.holders[text] = append(h.holders[text], key)
	}
	if len(h.holders[text]) > 1 {
		h.fragile[f.family] = true
	}
}

// loosen gives up telling the members of a family apart. What none of them was
// ever decided to be, none of them may be still.
func (h *history) loosen(family int) {
	for _, f := range h.facts {
		if f.family == family {
			f.loose = true
		}
	}
}

// unite makes one family of two whose texts flowed together.
func (h *history) unite(a, b int) {
	for _, f := range h.facts {
		if f.family == b {
			f.family = a
		}
	}
	if a != b {
		from, to := h.ever[b], h.ever[a]
		to.pinned, to.forgotten = to.pinned || from.pinned, to.forgotten || from.forgotten
		maps.Copy(to.tiers, from.tiers)
	}
	h.busy[a] = true
	h.loosen(a)
}

// look indexes whatever changed, and holds every memory to what it must be.
func (h *history) look() {
	h.tick()
	h.tally.looks++
	_, err := h.Index(context.Background(), memory.IndexRequest{}, nil)
	h.must(err)
	h.follow()
	h.check()
	clear(h.busy)
	clear(h.changed)
	clear(h.renamed)
}

// follow works out what holds now, from the lines on the disk and what is
// promised of those that went.
func (h *history) follow() {
	switched := h.head() != h.lastHead
	h.lastHead = h.head()
	lines := map[int]map[string]state{}
	for _, f := range h.facts {
		f.quotes = nil
	}
	for _, path := range h.onDisk() {
		src, err := os.ReadFile(filepath.Join(h.dir, path))
		h.must(err)
		m := frontmatter.Parse(src, nil)
		if m.HasConflict { // what was indexed last stays
			for key, f := range h.facts {
				if said, was := f.lines[path]; was {
					lines[key] = with(lines[key], path, said)
				}
			}
			continue
		}
		for _, e := range m.Entries {
			if key := h.spokenOf(e); key != 0 {
				lines[key] = with(lines[key], path, declaredIn(e))
				h.facts[key].quotes = append(h.facts[key].quotes, e.Quote)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(h.facts)) {
		h.followOne(key, lines[key], switched)
	}
	for key, f := range h.facts {
		if f.spoken().forgotten && (f.known || h.stands(key)) { // what it never saw, a database cannot know by its text
			h.marked[f.text] = true
		}
	}
}

func with(said map[string]state, path string, s state) map[string]state {
	if said == nil {
		said = map[string]state{}
	}
	said[path] = s
	return said
}

func (h *history) followOne(key int, is map[string]state, switched bool) {
	f := h.facts[key]
	was := f.lines
	if f.lines = is; !f.known {
		was = nil // what a line said of a memory that this database never saw, it cannot remember
	}
	if len(is) > 0 {
		f.inherited = state{}
	}
	takenBack, stays := false, state{}
	for _, path := range slices.Sorted(maps.Keys(was)) {
		kept := was[path]
		if h.standsIn(key, path) {
			if kept.forgotten && !switched {
				takenBack = true
			}
			// Pins and tiers follow the file; what was forgotten on one branch is not
			// back on another.
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
	if takenBack && !f.spoken().forgotten && !h.copySpoken(key) {
		h.unmark(key)
	}
	f.said = f.spoken().over(f.aside).over(f.inherited)
}

// spoken is what the lines about it come to.
func (f *fact) spoken() (s state) {
	for _, path := range slices.Sorted(maps.Keys(f.lines)) {
		s = s.over(f.lines[path])
	}
	return s
}

func (h *history) copySpoken(key int) bool {
	for other, f := range h.facts {
		if other != key && f.text == h.facts[key].text && f.spoken().forgotten {
			return true
		}
	}
	return false
}

func (h *history) unmark(key int) {
	f := h.facts[key]
	delete(h.marked, f.text)
	for text := range f.seen {
		delete(h.marked, text)
	}
}

func (h *history) standsIn(key int, path string) bool {
	p := h.pages[path]
	return p != nil && slices.ContainsFunc(p.items, func(it item) bool { return it.key == key })
}

// spokenOf is the meaning that a line names by its id.
func (h *history) spokenOf(e memory.Entry) int {
	return h.owners[e.IDPrefix]
}

func declaredIn(e memory.Entry) (s state) {
	s.pinned = e.Declared.Pinned != nil && *e.Declared.Pinned
	s.forgotten = e.Declared.Forgotten != nil && *e.Declared.Forgotten
	s.tier = e.Declared.Tier
	return s
}

// check holds each memory that stands to what its line means.
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
				h.fail("%s has no memory where it says %q (%v)", path, it.text, at)
			}
			h.checkID(it.key, at[0])
			h.checkState(it.key, at[0])
			at = at[1:]
		}
		if len(at) > 0 {
			h.fail("%s has a memory more: %q", path, at[0].Text)
		}
	}
	h.tally.memories += lines
}

// memories are all that stand, by file, in order.
func (h *history) memories() map[string][]memory.Memory {
	found := map[string][]memory.Memory{}
	for _, forgotten := range []bool{false, true} {
		list, err := h.List(context.Background(), memory.ListRequest{Filter: memory.Filter{Forgotten: forgotten}})
		h.must(err)
		for _, m := range list.Memories {
			if m.Forgotten != forgotten {
				h.fail("%s is listed where forgotten is %v", m.ID, forgotten)
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
	if owner, owned := h.owners[m.ID.InFile()]; owned && owner != key {
		if of := h.facts[owner]; of.family != f.family || !of.loose || !f.loose {
			h.tally.jumps++
			h.fail("memory %s went from line %d to line %d (%q)", m.ID.Short(), owner, key, m.Text)
		}
	}
	if f.id != "" && f.id.InFile() != m.ID.InFile() && !f.loose { // files hold 12 digits: all that outlives a database
		h.tally.lost++
		h.fail("line %d (%q) was memory %s and is %s", key, m.Text, f.id.Short(), m.ID.Short())
	}
	f.id, f.known, f.seen[m.Text] = m.ID, true, true
	h.owners[m.ID.InFile()] = key
}

func (h *history) checkState(key int, m memory.Memory) {
	f := h.facts[key]
	starts := memory.TierHot
	if m.Path == "MEMORY.md" {
		starts = memory.TierWarm
	}
	is := state{pinned: m.Pinned, forgotten: m.Forgotten}
	if m.Tier != starts {
		is.tier = m.Tier
	}
	want := f.said
	want.forgotten = want.forgotten || h.marked[m.Text]
	if want.tier == starts {
		want.tier = ""
	}
	if f.loose {
		h.checkFamily(key, m, is, want)
		return
	}
	switch {
	case is == want && is != state{}:
		h.tally.kept++
	case is == want:
	case is.pinned && !want.pinned, is.forgotten && !want.forgotten, is.tier != "" && is.tier != want.tier:
		h.tally.jumps++
		h.fail("line %d (%q, memory %s in %s) came to be %+v and was decided to be %+v", key, m.Text, m.ID.Short(), m.Path, is, want)
	default:
		h.tally.lost++
		h.fail("line %d (%q, memory %s in %s) was decided to be %+v and is %+v", key, m.Text, m.ID.Short(), m.Path, want, is)
	}
}

// checkFamily: of those that no text tells apart, none is what none was.
func (h *history) checkFamily(key int, m memory.Memory, is, want state) {
	ever := h.ever[h.facts[key].family]
	if is.pinned && !ever.pinned || is.forgotten && !ever.forgotten && !want.forgotten || is.tier != "" && !ever.tiers[is.tier] {
		h.tally.jumps++
		h.fail("line %d (%q, memory %s) is %+v, which nothing like it ever was", key, m.Text, m.ID.Short(), is)
	}
	if is != (state{}) {
		h.tally.loose++
	}
}
