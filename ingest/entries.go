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
func (w *work) matchEntries(ctx context.Context) error {
	states := w.statesWithEntries()
	said := map[naming]memory.ID{}
	for _, f := range w.listed {
		for _, e := range f.Entries {
			if e.MatchedID != "" {
				said[name(e)] = e.MatchedID
			}
		}
	}
	for _, f := range states {
		for i := range f.Entries {
			f.Entries[i].MatchedID = said[name(f.Entries[i])]
		}
	}
	s := newSubjects(w.subjects())
	s.named(states)
	if w.neverSeen(states) {
		rest, nowhere, err := w.otherSubjects(ctx, s)
		if err != nil {
			return err
		}
		s = newSubjects(append(s.all, rest...))
		newSubjects(append(slices.Clone(s.all), nowhere...)).named(states)
	}
	s.quoted(states, w.spokenOf())
	w.restate(states)
	return nil
}

// naming is how an entry names its memory.
type naming struct{ id, quote string }

func name(e memory.Entry) naming { return naming{e.IDPrefix, e.Quote} }

// statesWithEntries gives the files whose entries may have to be matched: those
// that the batch writes, and those elsewhere that have one about nothing.
func (w *work) statesWithEntries() []*memory.FileState {
	var states []*memory.FileState
	written := map[string]bool{}
	for _, files := range [][]memory.FileState{w.batch.Files, w.batch.Rematched} {
		for i := range files {
			files[i].Entries = slices.Clone(files[i].Entries)
			states = append(states, &files[i])
			written[files[i].Path] = true
		}
	}
	for _, path := range w.batch.Removed {
		written[path] = true
	}
	for _, f := range w.listed {
		if !written[f.Path] && slices.ContainsFunc(f.Entries, func(e memory.Entry) bool { return e.MatchedID == "" }) {
			f.Entries = slices.Clone(f.Entries)
			states = append(states, &f)
		}
	}
	slices.SortStableFunc(states, func(a, b *memory.FileState) int { return strings.Compare(a.Path, b.Path) })
	return states
}

// subjects are the memories of the batch, then those known beside it.
func (w *work) subjects() []subject {
	var all []subject
	placed := map[memory.ID]bool{}
	for i, f := range w.fresh {
		placed[w.found.IDs[i]] = true
		all = append(all, newSubject(w.found.IDs[i], f.Path, f.Block.Text, f.Block.Fingerprint))
	}
	for _, t := range w.found.TakeOvers {
		placed[t.Younger] = true
	}
	for _, k := range w.known {
		if !placed[k.ID] {
			all = append(all, newSubject(k.ID, k.Path, k.Text, k.Fingerprint))
		}
	}
	return all
}

// named matches the entries that are about nothing yet by their ids: all of them
// first, so that none of those memories is taken for what another entry quotes.
func (s *subjects) named(states []*memory.FileState) { s.each(states, s.withID) }

// spokenOf are the memories that entries of files outside the batch are about.
func (w *work) spokenOf() map[memory.ID]bool {
	ids := map[memory.ID]bool{}
	for _, f := range w.listed {
		rewritten := slices.ContainsFunc(w.batch.Files, func(b memory.FileState) bool { return b.Path == f.Path })
		if rewritten || slices.Contains(w.batch.Removed, f.Path) {
			continue
		}
		for _, e := range f.Entries {
			ids[e.MatchedID] = true
		}
	}
	return ids
}

// quoted matches by what entries quote those whose ids name nothing. What another
// entry is about is not taken for it, whichever file that one stands in.
func (s *subjects) quoted(states []*memory.FileState, taken map[memory.ID]bool) {
	take := func() {
		for _, f := range states {
			for _, e := range f.Entries {
				taken[e.MatchedID] = true
			}
		}
	}
	take()
	s.each(states, func(e memory.Entry, home string) (int, bool) {
		i, ok := s.withQuote(e, home)
		return i, ok && !taken[s.all[i].id]
	})
	take()
	s.each(states, func(e memory.Entry, home string) (int, bool) { return s.alike(e, home, taken) })
}

func (s *subjects) each(states []*memory.FileState, match func(e memory.Entry, home string) (int, bool)) {
	for _, f := range states {
		for i := range f.Entries {
			e := &f.Entries[i]
			if e.MatchedID != "" {
				continue
			}
			if at, ok := match(*e, home(*e, f.Path)); ok {
				e.MatchedID = s.all[at].id
			}
		}
	}
}

// home is the file whose memories an entry means first.
func home(e memory.Entry, path string) string {
	if e.Path != "" {
		return e.Path
	}
	return path
}

// neverSeen says that an entry about nothing yet was in no file before.
func (w *work) neverSeen(states []*memory.FileState) bool {
	unknown := map[naming]bool{}
	for _, f := range states {
		for _, e := range f.Entries {
			unknown[name(e)] = e.MatchedID == ""
		}
	}
	for _, f := range w.listed {
		for _, e := range f.Entries {
			delete(unknown, name(e))
		}
	}
	return slices.Contains(slices.Collect(maps.Values(unknown)), true)
}

// otherSubjects are all other memories: those of files that there are, and those
// that stand nowhere, which a line can only name.
func (w *work) otherSubjects(ctx context.Context, s *subjects) (rest, nowhere []subject, err error) {
	q := memory.KnownQuery{MissingSince: time.UnixMilli(1)} // ever
	written := map[string]bool{}
	for _, f := range w.batch.Files {
		written[f.Path] = true
	}
	there := map[string]bool{}
	for _, f := range w.listed {
		if !written[f.Path] {
			q.Paths = append(q.Paths, f.Path)
			there[f.Path] = true
		}
	}
	known, err := w.store.Known(ctx, q)
	if err != nil {
		return nil, nil, fmt.Errorf("read memories that decisions may be about: %w", err)
	}
	have := map[memory.ID]bool{}
	for _, one := range s.all {
		have[one.id] = true
	}
	for _, k := range known {
		one := newSubject(k.ID, k.Path, k.Text, k.Fingerprint)
		switch {
		case have[k.ID]:
		case there[k.Path]:
			rest = append(rest, one)
		default:
			nowhere = append(nowhere, one)
		}
	}
	return rest, nowhere, nil
}

// restate notes the faults of decisions about nothing, and adds the unchanged
// files whose decisions are about something now.
func (w *work) restate(states []*memory.FileState) {
	written := map[string]bool{}
	for _, files := range [][]memory.FileState{w.batch.Files, w.batch.Rematched} {
		for _, f := range files {
			written[f.Path] = true
		}
	}
	for _, f := range states {
		f.Faults = append(withoutUnmatched(f.Faults), unmatched(f.Path, f.Entries)...)
		was := w.stored[f.Path]
		if !written[f.Path] && !slices.EqualFunc(f.Entries, was.Entries, func(a, b memory.Entry) bool { return a.MatchedID == b.MatchedID }) {
			w.batch.Rematched = append(w.batch.Rematched, *f)
		}
	}
	slices.SortFunc(w.batch.Rematched, func(a, b memory.FileState) int { return strings.Compare(a.Path, b.Path) })
}

// unmatchedMessage begins the fault of a decision that is about no memory.
const unmatchedMessage = "decides about a memory that is not there: "

func unmatched(path string, entries []memory.Entry) []memory.Fault {
	var faults []memory.Fault
	for _, e := range entries {
		if e.MatchedID == "" {
			faults = append(faults, memory.Fault{Path: path, Line: e.Line, Message: unmatchedMessage + e.Quote})
		}
	}
	return faults
}

func withoutUnmatched(faults []memory.Fault) []memory.Fault {
	return slices.DeleteFunc(slices.Clone(faults), func(f memory.Fault) bool { return strings.HasPrefix(f.Message, unmatchedMessage) })
}
