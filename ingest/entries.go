package ingest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/identity"
)

// matchEntries finds the memory of each entry. An entry that existed before, in
// any file, keeps its memory. Other entries are matched with the batch's
// memories. A new entry is matched with all memories, because it may be in
// another file than its memory. Unmatched entries of other files are tried
// again. An entry without a memory stays and becomes a fault.
func (r *run) matchEntries(ctx context.Context) error {
	states := r.statesToMatch()
	if !slices.ContainsFunc(states, func(f *memory.FileState) bool { return len(f.Entries) > 0 }) {
		r.updateFaults(states)
		return nil
	}
	known := r.knownEntries()
	for _, f := range states {
		for i := range f.Entries {
			e := &f.Entries[i]
			was := known[keyOf(*e)]
			e.MatchedID, e.Doubtful, e.Settled = was.MatchedID, r.currentDoubts(was.Doubtful), was.Settled
		}
	}
	s := newCandidateIndex(r.batchCandidates(r.known, idsNamedBy(states)))
	s.matchIDs(states)
	mayDependOnTexts := func(e memory.Entry) bool {
		return known[keyOf(e)].MatchedID == "" && (e.MatchedID == "" || isProtecting(e) && !r.isExact(s, e))
	}
	if slices.ContainsFunc(states, func(f *memory.FileState) bool { return slices.ContainsFunc(f.Entries, mayDependOnTexts) }) {
		var err error
		if s, err = r.matchTexts(ctx, states); err != nil {
			return err
		}
	}
	for _, f := range states {
		f.Entries = s.nameUnread(f.Path, f.Entries)
	}
	r.noteDoubts(s, states, known)
	r.updateFaults(states)
	return nil
}

// matchTexts matches the entries that name no memory of the batch by its id. It returns all
// memories that an entry may be about.
func (r *run) matchTexts(ctx context.Context, states []*memory.FileState) (*candidateIndex, error) {
	every, err := r.knownOfAllBlocks(ctx)
	if err != nil {
		return nil, err
	}
	s := newCandidateIndex(r.batchCandidates(every, func(memory.ID) bool { return true }))
	s.matchIDs(states)
	if r.hasNewEntry(states) {
		rest, fileless, err := r.otherCandidates(ctx, s)
		if err != nil {
			return nil, err
		}
		s = newCandidateIndex(append(s.all, rest...))
		newCandidateIndex(append(slices.Clone(s.all), fileless...)).matchIDs(states)
	}
	taken := r.matchedElsewhere()
	s.matchUntaken(states, taken, s.findByQuote)
	s.matchUntaken(states, taken, s.findReturned(every))
	return s, nil
}

// findReturned returns a function that finds a memory by an entry's id alone, if it has a
// decision. Then git brought the line about it back with an older quote.
func (s *candidateIndex) findReturned(known []identity.KnownMemory) func(e memory.Entry, likelyPath string) (int, bool) {
	isDecided := map[memory.ID]bool{}
	for _, k := range known {
		isDecided[k.ID] = k.HasDecision
	}
	return func(e memory.Entry, likelyPath string) (int, bool) {
		i, ok := s.pickOne(s.withID(e.IDPrefix), likelyPath)
		return i, ok && len(e.IDPrefix) == digitsInFile && isDecided[s.all[i].id]
	}
}

// idsNamedBy returns a function that reports whether an unmatched entry names an id.
func idsNamedBy(states []*memory.FileState) func(memory.ID) bool {
	named := map[string]bool{}
	var lengths []int // of the ids in entries
	for _, f := range states {
		for _, e := range f.Entries {
			if e.MatchedID == "" && e.IDPrefix != "" {
				named[e.IDPrefix] = true
				lengths = append(lengths, len(e.IDPrefix))
			}
		}
	}
	slices.Sort(lengths)
	lengths = slices.Compact(lengths)
	return func(id memory.ID) bool {
		return slices.ContainsFunc(lengths, func(n int) bool { all := digits(id); return named[all[:min(n, len(all))]] })
	}
}

// entryKey is the part of an entry that identifies its memory.
type entryKey struct{ id, quote, unread string }

func keyOf(e memory.Entry) entryKey {
	if isUnread(e) {
		return entryKey{unread: e.Path + "\x00" + e.Unread}
	}
	return entryKey{id: e.IDPrefix, quote: e.Quote}
}

// knownEntries returns the indexed entries, with the memories that they matched.
func (r *run) knownEntries() map[entryKey]memory.Entry {
	known := map[entryKey]memory.Entry{}
	for _, f := range r.indexed {
		for _, e := range f.Entries {
			if e.MatchedID != "" || known[keyOf(e)].MatchedID == "" {
				known[keyOf(e)] = e
			}
		}
	}
	return known
}

// statesToMatch returns the files whose entries may need matching. These are the
// files of the batch, and other files with an unmatched entry.
func (r *run) statesToMatch() []*memory.FileState {
	isUnmatched := func(e memory.Entry) bool { return e.MatchedID == "" }
	var states []*memory.FileState
	written := map[string]bool{}
	for _, files := range [][]memory.FileState{r.batch.Files, r.batch.Rematched} {
		for i := range files {
			files[i].Entries = slices.Clone(files[i].Entries)
			states = append(states, &files[i])
			written[files[i].Path] = true
		}
	}
	for _, path := range r.batch.Removed {
		written[path] = true
	}
	for _, f := range r.indexed {
		if !written[f.Path] && slices.ContainsFunc(f.Entries, isUnmatched) {
			f.Entries = slices.Clone(f.Entries)
			states = append(states, &f)
		}
	}
	slices.SortStableFunc(states, func(a, b *memory.FileState) int { return strings.Compare(a.Path, b.Path) })
	return states
}

// batchCandidates returns the chosen memories of the batch, then other known ones.
func (r *run) batchCandidates(known []identity.KnownMemory, isChosen func(memory.ID) bool) []candidate {
	var all []candidate
	placed := map[memory.ID]bool{}
	for i, b := range r.read {
		id := r.idAt(i)
		placed[id] = true
		if isChosen(id) {
			one := newCandidate(id, b.Path, b.Block.Text, b.Block.Fingerprint)
			one.present = true
			all = append(all, one)
		}
	}
	for _, t := range r.result.TakeOvers {
		placed[t.Younger] = true
	}
	for _, k := range known {
		if !placed[k.ID] && isChosen(k.ID) {
			one := newCandidate(k.ID, k.Path, k.Text, k.Fingerprint)
			one.present = k.OutsideBatch && !k.Missing
			all = append(all, one)
		}
	}
	return all
}

// matchIDs matches unmatched entries by id. All ids come before all quotes, so
// that no entry takes a memory that another entry identifies by id.
func (s *candidateIndex) matchIDs(states []*memory.FileState) { s.matchEach(states, s.findByID) }

// matchedElsewhere returns the memories of the entries of files outside the
// batch.
func (r *run) matchedElsewhere() map[memory.ID]bool {
	ids, current := map[memory.ID]bool{}, map[string]bool{}
	for _, f := range r.batch.Files {
		current[f.Path] = true
	}
	for _, path := range r.batch.Removed {
		current[path] = true
	}
	for _, f := range r.indexed {
		if current[f.Path] {
			continue
		}
		for _, e := range f.Entries {
			ids[e.MatchedID] = true
		}
	}
	return ids
}

// matchUntaken matches the remaining entries. They take no memory of another entry, whichever
// file that entry is in.
func (s *candidateIndex) matchUntaken(states []*memory.FileState, taken map[memory.ID]bool, find func(e memory.Entry, likelyPath string) (int, bool)) {
	for _, f := range states {
		for _, e := range f.Entries {
			taken[e.MatchedID] = true
		}
	}
	s.matchEach(states, func(e memory.Entry, likelyPath string) (int, bool) {
		i, ok := find(e, likelyPath)
		return i, ok && !taken[s.all[i].id]
	})
}

// matchEach calls match for each unmatched entry, with the path of the file that
// the memory is most likely in.
func (s *candidateIndex) matchEach(states []*memory.FileState, match func(e memory.Entry, likelyPath string) (int, bool)) {
	for _, f := range states {
		for i := range f.Entries {
			e := &f.Entries[i]
			if e.MatchedID != "" {
				continue
			}
			if at, ok := match(*e, candidatePath(*e, f.Path)); ok {
				e.MatchedID = s.all[at].id
			}
		}
	}
}

// candidatePath returns the file in which an entry's memory is most likely.
func candidatePath(e memory.Entry, path string) string {
	if e.Path != "" {
		return e.Path
	}
	return path
}

// hasNewEntry reports whether an unmatched entry was in no file before.
func (r *run) hasNewEntry(states []*memory.FileState) bool {
	unknown := map[entryKey]bool{}
	for _, f := range states {
		for _, e := range f.Entries {
			unknown[keyOf(e)] = e.MatchedID == ""
		}
	}
	for _, f := range r.indexed {
		for _, e := range f.Entries {
			delete(unknown, keyOf(e))
		}
	}
	return slices.Contains(slices.Collect(maps.Values(unknown)), true)
}

// otherCandidates returns all other memories: those of existing files, and
// those without a file, which an entry can only identify by id.
func (r *run) otherCandidates(ctx context.Context, s *candidateIndex) (rest, fileless []candidate, err error) {
	if err := r.loadFiles(ctx); err != nil {
		return nil, nil, err
	}
	q := identity.KnownQuery{MissingSince: time.UnixMilli(1)} // any time
	written := map[string]bool{}
	for _, f := range r.batch.Files {
		written[f.Path] = true
	}
	exists := map[string]bool{}
	for _, f := range r.indexed {
		if !written[f.Path] {
			q.Paths = append(q.Paths, f.Path)
			exists[f.Path] = true
		}
	}
	known, err := r.store.Known(ctx, q)
	if err != nil {
		return nil, nil, fmt.Errorf("read all memories to match decisions: %w", err)
	}
	have := map[memory.ID]bool{}
	for _, one := range s.all {
		have[one.id] = true
	}
	for _, k := range known {
		one := newCandidate(k.ID, k.Path, k.Text, k.Fingerprint)
		switch {
		case have[k.ID]:
		case exists[k.Path]:
			one.present = !k.Missing
			rest = append(rest, one)
		default:
			fileless = append(fileless, one)
		}
	}
	return rest, fileless, nil
}
