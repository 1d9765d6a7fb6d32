package ingest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
)

// matchEntries finds out what memory each decision is about. One that reads as
// it did, in whatever file, is about what it was about; others are looked for,
// first among the batch's memories, then among all. Decisions of other files
// that were about nothing are tried again. What matches nothing is kept and
// reported.
func (w *work) matchEntries(ctx context.Context) error {
	states := w.statesWithEntries()
	said := map[naming]memory.ID{}
	for _, f := range w.listed {
		for _, e := range f.Entries {
			if e.About != "" {
				said[name(e)] = e.About
			}
		}
	}
	for _, f := range states {
		for i := range f.Entries {
			f.Entries[i].About = said[name(f.Entries[i])]
		}
	}
	s := newSubjects(w.subjects())
	s.fill(states)
	if err := w.fillFromAll(ctx, s, states); err != nil {
		return err
	}
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
	for _, files := range [][]memory.FileState{w.batch.Files, w.batch.Restated} {
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
		if !written[f.Path] && slices.ContainsFunc(f.Entries, func(e memory.Entry) bool { return e.About == "" }) {
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

// fill matches the entries that are about nothing yet: all that go by id first,
// so that none of those memories is taken for what another entry quotes.
func (s *subjects) fill(states []*memory.FileState) {
	taken := map[memory.ID]bool{}
	each := func(match func(e memory.Entry, home string) (int, bool)) {
		for _, f := range states {
			for i := range f.Entries {
				e := &f.Entries[i]
				if e.About != "" {
					continue
				}
				if at, ok := match(*e, home(*e, f.Path)); ok {
					e.About = s.all[at].id
				}
			}
		}
		for _, f := range states {
			for _, e := range f.Entries {
				taken[e.About] = true
			}
		}
	}
	each(s.withID)
	each(func(e memory.Entry, home string) (int, bool) {
		i, ok := s.withQuote(e, home)
		return i, ok && !taken[s.all[i].id]
	})
	each(func(e memory.Entry, home string) (int, bool) { return s.alike(e, home, taken) })
}

// home is the file whose memories an entry means first.
func home(e memory.Entry, path string) string {
	if e.Path != "" {
		return e.Path
	}
	return path
}

// fillFromAll looks among all memories for what a decision is about that was
// not there before, if no memory of the batch is it: somebody may have written
// it into another file.
func (w *work) fillFromAll(ctx context.Context, s *subjects, states []*memory.FileState) error {
	unknown := map[naming]bool{}
	for _, f := range states {
		for _, e := range f.Entries {
			unknown[name(e)] = e.About == ""
		}
	}
	for _, f := range w.listed {
		for _, e := range f.Entries {
			delete(unknown, name(e))
		}
	}
	if !slices.Contains(slices.Collect(maps.Values(unknown)), true) {
		return nil
	}
	var q memory.KnownQuery
	written := map[string]bool{}
	for _, f := range w.batch.Files {
		written[f.Path] = true
	}
	for _, f := range w.listed {
		if !written[f.Path] {
			q.Paths = append(q.Paths, f.Path)
		}
	}
	known, err := w.store.Known(ctx, q)
	if err != nil {
		return fmt.Errorf("read memories that decisions may be about: %w", err)
	}
	have := map[memory.ID]bool{}
	for _, one := range s.all {
		have[one.id] = true
	}
	all := s.all
	for _, k := range known {
		if !have[k.ID] {
			all = append(all, newSubject(k.ID, k.Path, k.Text, k.Fingerprint))
		}
	}
	newSubjects(all).fill(states)
	return nil
}

// restate notes the faults of decisions about nothing, and adds the unchanged
// files whose decisions are about something now.
func (w *work) restate(states []*memory.FileState) {
	written := map[string]bool{}
	for _, files := range [][]memory.FileState{w.batch.Files, w.batch.Restated} {
		for _, f := range files {
			written[f.Path] = true
		}
	}
	for _, f := range states {
		f.Faults = append(withoutUnmatched(f.Faults), unmatched(f.Path, f.Entries)...)
		was := w.stored[f.Path]
		if !written[f.Path] && !slices.EqualFunc(f.Entries, was.Entries, func(a, b memory.Entry) bool { return a.About == b.About }) {
			w.batch.Restated = append(w.batch.Restated, *f)
		}
	}
	slices.SortFunc(w.batch.Restated, func(a, b memory.FileState) int { return strings.Compare(a.Path, b.Path) })
}

// unmatchedMessage begins the fault of a decision that is about no memory.
const unmatchedMessage = "decides about a memory that is not there: "

func unmatched(path string, entries []memory.Entry) []memory.Fault {
	var faults []memory.Fault
	for _, e := range entries {
		if e.About == "" {
			faults = append(faults, memory.Fault{Path: path, Line: e.Line, Message: unmatchedMessage + e.Quote})
		}
	}
	return faults
}

func withoutUnmatched(faults []memory.Fault) []memory.Fault {
	return slices.DeleteFunc(slices.Clone(faults), func(f memory.Fault) bool { return strings.HasPrefix(f.Message, unmatchedMessage) })
}
