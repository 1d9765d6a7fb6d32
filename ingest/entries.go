package ingest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// matchEntries finds out what memory each decision is about. One that reads as
// it did, in whatever file, is about what it was about; others are looked for
// among the batch's memories, and a line that was never seen before among all:
// somebody may have written it into another file. Decisions of other files that
// were about nothing are tried again. What matches nothing is kept and reported.
func (r *run) matchEntries(ctx context.Context) error {
	states := r.statesToMatch()
	matched := map[entryKey]memory.ID{}
	for _, f := range r.indexed {
		for _, e := range f.Entries {
			if e.MatchedID != "" {
				matched[keyOf(e)] = e.MatchedID
			}
		}
	}
	for _, f := range states {
		for i := range f.Entries {
			f.Entries[i].MatchedID = matched[keyOf(f.Entries[i])]
		}
	}
	s := newCandidateIndex(r.batchCandidates())
	s.matchIDs(states)
	if r.hasNewEntry(states) {
		rest, fileless, err := r.otherCandidates(ctx, s)
		if err != nil {
			return err
		}
		s = newCandidateIndex(append(s.all, rest...))
		newCandidateIndex(append(slices.Clone(s.all), fileless...)).matchIDs(states)
	}
	s.matchQuotes(states, r.matchedElsewhere())
	r.updateFaults(states)
	return nil
}

// entryKey is how an entry names its memory.
type entryKey struct{ id, quote string }

func keyOf(e memory.Entry) entryKey { return entryKey{e.IDPrefix, e.Quote} }

// statesToMatch gives the files whose entries may have to be matched: those
// that the batch writes, and those elsewhere that have one about nothing.
func (r *run) statesToMatch() []*memory.FileState {
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
		if !written[f.Path] && slices.ContainsFunc(f.Entries, func(e memory.Entry) bool { return e.MatchedID == "" }) {
			f.Entries = slices.Clone(f.Entries)
			states = append(states, &f)
		}
	}
	slices.SortStableFunc(states, func(a, b *memory.FileState) int { return strings.Compare(a.Path, b.Path) })
	return states
}

// batchCandidates are the memories of the batch, then those known beside it.
func (r *run) batchCandidates() []candidate {
	var all []candidate
	placed := map[memory.ID]bool{}
	for i, f := range r.blocks {
		placed[r.result.IDs[i]] = true
		all = append(all, newCandidate(r.result.IDs[i], f.Path, f.Block.Text, f.Block.Fingerprint))
	}
	for _, t := range r.result.TakeOvers {
		placed[t.Younger] = true
	}
	for _, k := range r.known {
		if !placed[k.ID] {
			all = append(all, newCandidate(k.ID, k.Path, k.Text, k.Fingerprint))
		}
	}
	return all
}

// matchIDs matches the entries that are about nothing yet by their ids: all of them
// first, so that none of those memories is taken for what another entry quotes.
func (s *candidateIndex) matchIDs(states []*memory.FileState) { s.matchEach(states, s.findByID) }

// matchedElsewhere are the memories that entries of files outside the batch are about.
func (r *run) matchedElsewhere() map[memory.ID]bool {
	ids := map[memory.ID]bool{}
	for _, f := range r.indexed {
		rewritten := slices.ContainsFunc(r.batch.Files, func(b memory.FileState) bool { return b.Path == f.Path })
		if rewritten || slices.Contains(r.batch.Removed, f.Path) {
			continue
		}
		for _, e := range f.Entries {
			ids[e.MatchedID] = true
		}
	}
	return ids
}

// matchQuotes matches by what entries quote those whose ids name nothing. What another
// entry is about is not taken for it, whichever file that one stands in.
func (s *candidateIndex) matchQuotes(states []*memory.FileState, taken map[memory.ID]bool) {
	take := func() {
		for _, f := range states {
			for _, e := range f.Entries {
				taken[e.MatchedID] = true
			}
		}
	}
	take()
	s.matchEach(states, func(e memory.Entry, home string) (int, bool) {
		i, ok := s.findByQuote(e, home)
		return i, ok && !taken[s.all[i].id]
	})
	take()
	s.matchEach(states, func(e memory.Entry, home string) (int, bool) { return s.findSimilar(e, home, taken) })
}

func (s *candidateIndex) matchEach(states []*memory.FileState, match func(e memory.Entry, home string) (int, bool)) {
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

// candidatePath is the file whose memories an entry means first.
func candidatePath(e memory.Entry, path string) string {
	if e.Path != "" {
		return e.Path
	}
	return path
}

// hasNewEntry says that an entry about nothing yet was in no file before.
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

// otherCandidates are all other memories: those of files that there are, and those
// that stand nowhere, which a line can only name.
func (r *run) otherCandidates(ctx context.Context, s *candidateIndex) (rest, fileless []candidate, err error) {
	q := memory.KnownQuery{MissingSince: time.UnixMilli(1)} // ever
	written := map[string]bool{}
	for _, f := range r.batch.Files {
		written[f.Path] = true
	}
	there := map[string]bool{}
	for _, f := range r.indexed {
		if !written[f.Path] {
			q.Paths = append(q.Paths, f.Path)
			there[f.Path] = true
		}
	}
	known, err := r.store.Known(ctx, q)
	if err != nil {
		return nil, nil, fmt.Errorf("read memories that decisions may be about: %w", err)
	}
	have := map[memory.ID]bool{}
	for _, one := range s.all {
		have[one.id] = true
	}
	for _, k := range known {
		one := newCandidate(k.ID, k.Path, k.Text, k.Fingerprint)
		switch {
		case have[k.ID]:
		case there[k.Path]:
			rest = append(rest, one)
		default:
			fileless = append(fileless, one)
		}
	}
	return rest, fileless, nil
}

// updateFaults notes the faults of decisions about nothing, and adds the unchanged
// files whose decisions are about something now.
func (r *run) updateFaults(states []*memory.FileState) {
	written := map[string]bool{}
	for _, files := range [][]memory.FileState{r.batch.Files, r.batch.Rematched} {
		for _, f := range files {
			written[f.Path] = true
		}
	}
	for _, f := range states {
		f.Faults = append(removeUnmatchedFaults(f.Faults), unmatchedFaults(f.Path, f.Entries)...)
		was := r.indexedByPath[f.Path]
		if !written[f.Path] && !slices.EqualFunc(f.Entries, was.Entries, func(a, b memory.Entry) bool { return a.MatchedID == b.MatchedID }) {
			r.batch.Rematched = append(r.batch.Rematched, *f)
		}
	}
	slices.SortFunc(r.batch.Rematched, func(a, b memory.FileState) int { return strings.Compare(a.Path, b.Path) })
}

// unmatchedPrefix begins the fault of a decision that is about no memory.
const unmatchedPrefix = "decides about a memory that is not there: "

func unmatchedFaults(path string, entries []memory.Entry) []memory.Fault {
	var faults []memory.Fault
	for _, e := range entries {
		if e.MatchedID == "" {
			faults = append(faults, memory.Fault{Path: path, Line: e.Line, Message: unmatchedPrefix + e.Quote})
		}
	}
	return faults
}

func removeUnmatchedFaults(faults []memory.Fault) []memory.Fault {
	return slices.DeleteFunc(slices.Clone(faults), func(f memory.Fault) bool { return strings.HasPrefix(f.Message, unmatchedPrefix) })
}
