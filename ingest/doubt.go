package ingest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker/quote"
)

// doubtFinder finds the memories that a protecting entry may be about, where the entry
// matches no present memory exactly. The index protects these memories until a person
// decides.
type doubtFinder struct {
	*run
	candidates *candidateIndex
	states     []*memory.FileState
	known      map[entryKey]memory.Entry
	missing    map[memory.ID]memory.LastPlace
	doubters   map[memory.ID]int          // entries that may be about a memory
	texts      map[memoryGroup]*wordIndex // made when needed
}

// memoryGroup names which memories an entry may be about.
type memoryGroup uint8

const (
	noMemories      memoryGroup = iota
	newMemories                 // of this run
	changedMemories             // new and edited ones
	presentMemories
)

func (r *run) newDoubtFinder(s *candidateIndex, states []*memory.FileState, known map[entryKey]memory.Entry, missing map[memory.ID]memory.LastPlace) *doubtFinder {
	d := &doubtFinder{run: r, candidates: s, states: states, known: known, missing: missing,
		doubters: countDoubters(states), texts: map[memoryGroup]*wordIndex{}}
	d.addNewlyMatched()
	return d
}

// mayDependOnTexts reports whether an entry may be about a memory that it does not name.
func (d *doubtFinder) mayDependOnTexts() bool {
	return slices.ContainsFunc(d.states, func(f *memory.FileState) bool {
		return slices.ContainsFunc(f.Entries, func(e memory.Entry) bool {
			return e.MatchedID == "" || isProtecting(e) && d.group(e) != noMemories
		})
	})
}

// noteDoubts notes, for each protecting entry without an exact match, the memories
// that it may be about. Doubts of an earlier run stay until a person decides about
// the memory.
func (d *doubtFinder) noteDoubts() {
	decided := d.decisions(d.states)
	for _, f := range d.states {
		for i := range f.Entries {
			e := &f.Entries[i]
			if !isProtecting(*e) {
				e.Doubtful, e.Settled = nil, false
				continue
			}
			if group := d.group(*e); group != noMemories {
				last := d.missing[e.MatchedID]
				if group != newMemories { // the users of other memories are not read
					last.User = ""
				}
				paths := []string{candidatePath(*e, f.Path), last.Path}
				e.Doubtful = append(slices.Clone(e.Doubtful), d.wordIndex(group).doubtful(e.Quote, last.User, paths)...)
				e.Doubtful = append(e.Doubtful, d.candidates.restOfQuote(*e, paths[0])...)
			}
			if d.known[keyOf(*e)].MatchedID == "" {
				e.Doubtful = append(e.Doubtful, d.candidates.namedOtherwise(*e)...)
			}
			hadDoubts := len(e.Doubtful) > 0
			e.Doubtful = slices.DeleteFunc(e.Doubtful, func(id memory.ID) bool { return decidesAll(decided[id], *e) })
			slices.Sort(e.Doubtful)
			e.Doubtful = slices.Compact(e.Doubtful)
			e.Settled = len(e.Doubtful) == 0 && (hadDoubts || e.Settled)
		}
	}
}

// isProtecting reports whether an entry hides its memory, from some users at least, or
// lowers its trust.
func isProtecting(e memory.Entry) bool {
	return isForgetting(e) || isPrivate(e) || isDistrusting(e) || e.Declared.User != ""
}

func isForgetting(e memory.Entry) bool { return e.Declared.Forgotten != nil && *e.Declared.Forgotten }

func isPrivate(e memory.Entry) bool { return e.Declared.Private != nil && *e.Declared.Private }

func isDistrusting(e memory.Entry) bool {
	return e.Declared.Trust == memory.TrustUntrusted || e.Declared.Trust == memory.TrustQuarantined
}

// group returns which memories an entry may be about. A clone or a new database cannot
// tell which text was edited after the decision, so that every present memory may be
// the one. A database that knows the entry's memory, or has looked for it before, knows
// all other memories: only what came since may be it.
func (d *doubtFinder) group(e memory.Entry) memoryGroup {
	was, indexed := d.known[keyOf(e)]
	_, isMissing := d.missing[e.MatchedID]
	switch {
	case was.MatchedID == "" && !d.candidates.matchesExactly(e, len(d.indexed) > 0):
		if indexed {
			return changedMemories
		}
		return presentMemories
	case isMissing:
		return newMemories
	}
	return noMemories
}

// addNewlyMatched adds the memories without a file that entries matched in this run.
func (d *doubtFinder) addNewlyMatched() {
	if d.missing == nil {
		return
	}
	present := map[memory.ID]bool{}
	for _, one := range d.candidates.all {
		present[one.id] = present[one.id] || one.present
	}
	for _, f := range d.states {
		for _, e := range f.Entries {
			if _, listed := d.missing[e.MatchedID]; !listed && e.MatchedID != "" && d.known[keyOf(e)].MatchedID == "" && !present[e.MatchedID] {
				d.missing[e.MatchedID] = memory.LastPlace{}
			}
		}
	}
}

func (d *doubtFinder) wordIndex(group memoryGroup) *wordIndex {
	if d.texts[group] == nil {
		all := d.candidates.all
		if group != presentMemories {
			all = d.blocksWith(group)
		}
		d.texts[group] = newWordIndex(all, d.doubters)
	}
	return d.texts[group]
}

// blocksWith returns the memories of a group that the batch places.
func (r *run) blocksWith(group memoryGroup) (found []candidate) {
	for i, b := range r.blocks {
		change := r.result.Changes[i]
		if change == memory.Added || group == changedMemories && change == memory.Edited {
			found = append(found, candidate{id: r.result.IDs[i], path: b.Path, text: b.Block.Fingerprint, content: b.Block.Text, user: b.User, present: true})
		}
	}
	return found
}

// missingMemories returns the memories of protecting entries that are in no file after
// this run. It returns nil if the run has no new memory.
func (r *run) missingMemories(ctx context.Context) (map[memory.ID]memory.LastPlace, error) {
	if !slices.Contains(r.result.Changes, memory.Added) || !r.hasProtectingEntry() {
		return nil, nil
	}
	missing, err := r.store.MissingMatches(ctx)
	if err != nil {
		return nil, fmt.Errorf("read missing memories of decisions: %w", err)
	}
	gone := map[memory.ID]bool{}
	for _, id := range r.result.Missing {
		gone[id] = true
	}
	for _, k := range r.known {
		if k.Missing || gone[k.ID] {
			missing[k.ID] = memory.LastPlace{Path: k.Path, User: k.User}
		}
	}
	for _, id := range r.result.IDs {
		delete(missing, id)
	}
	for _, t := range r.result.TakeOvers {
		delete(missing, t.Elder)
	}
	return missing, nil
}

func (r *run) hasProtectingEntry() bool {
	has := func(f memory.FileState) bool { return slices.ContainsFunc(f.Entries, isProtecting) }
	return slices.ContainsFunc(r.batch.Files, has) || slices.ContainsFunc(r.batch.Rematched, has) || slices.ContainsFunc(r.indexed, has)
}

// decisions returns, for each memory, what the entries that match it decide.
func (r *run) decisions(states []*memory.FileState) map[memory.ID][]memory.Declared {
	decided, current := map[memory.ID][]memory.Declared{}, map[string]bool{}
	note := func(entries []memory.Entry) {
		for _, e := range entries {
			if e.MatchedID != "" {
				decided[e.MatchedID] = append(decided[e.MatchedID], e.Declared)
			}
		}
	}
	for _, f := range states {
		current[f.Path] = true
		note(f.Entries)
	}
	for _, path := range r.batch.Removed {
		current[path] = true
	}
	for _, f := range r.indexed {
		if !current[f.Path] {
			note(f.Entries)
		}
	}
	return decided
}

// decidesAll reports whether decisions about a memory decide all that an entry
// protects.
func decidesAll(decided []memory.Declared, e memory.Entry) bool {
	var sum memory.Declared
	for _, d := range decided {
		sum = sum.Over(d)
	}
	return !(isForgetting(e) && sum.Forgotten == nil || isPrivate(e) && sum.Private == nil || isDistrusting(e) && sum.Trust == "" ||
		e.Declared.User != "" && sum.User == "")
}

// currentDoubts returns the doubts of an entry as they were indexed, without memories
// that an elder one takes over. The elder one keeps its own state.
func (r *run) currentDoubts(ids []memory.ID) []memory.ID {
	return slices.DeleteFunc(slices.Clone(ids), func(id memory.ID) bool {
		return slices.ContainsFunc(r.result.TakeOvers, func(t memory.TakeOver) bool { return t.Younger == id })
	})
}

// namedOtherwise returns the present memories that have the id of an entry and another quote.
func (s *candidateIndex) namedOtherwise(e memory.Entry) (ids []memory.ID) {
	for _, i := range s.withID(e.IDPrefix) {
		if s.all[i].present && s.all[i].id != e.MatchedID {
			ids = append(ids, s.all[i].id)
		}
	}
	return ids
}

// matchesExactly reports whether an entry's memory is surely the right one. Its
// text begins with the quote, or an index from before the edit knows its id.
func (s *candidateIndex) matchesExactly(e memory.Entry, wasIndexed bool) bool {
	if e.MatchedID == "" {
		return false
	}
	id := digits(e.MatchedID)
	at, ok := slices.BinarySearchFunc(s.byID, id, func(i int, id string) int { return strings.Compare(s.digits[i], id) })
	if !ok || s.all[s.byID[at]].beginsWith(quote.Normalize(quote.Of(e.Quote))) {
		return true // a memory that is not a candidate was found by its id
	}
	return wasIndexed && e.IDPrefix != "" && strings.HasPrefix(id, e.IDPrefix)
}
