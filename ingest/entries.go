package ingest

import (
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/identity"
)

// quoteWords is how many words of a text a quote holds at most.
const quoteWords = 8

// How much of a quote's words a text must begin with, in order. With the id it
// is enough that half of them are still there; without it, where a wrong match
// would put a decision on another memory, nearly all.
const (
	agreesWithID = 0.5
	agreesAlone  = 0.8
)

// subject is a memory that an entry may be about.
type subject struct {
	id    memory.ID
	path  string
	words []string
}

// matchEntries finds out what memory each decision is about: those of changed
// files anew, those of other files where they were about none. A decision that
// matches nothing is kept and reported.
func (w *work) matchEntries(known []identity.Known) {
	subjects := w.subjects(known)
	changed := map[string]bool{}
	for i := range w.batch.Files {
		f := &w.batch.Files[i]
		changed[f.Path] = true
		f.Entries = w.about(f.Path, f.Entries, w.stored[f.Path].Entries, subjects)
		f.Faults = append(f.Faults, unmatched(f.Path, f.Entries)...)
	}
	for _, r := range w.batch.Restated {
		changed[r.Path] = true
	}
	for _, path := range w.batch.Removed {
		changed[path] = true
	}
	for path, f := range w.stored {
		if changed[path] || !slices.ContainsFunc(f.Entries, func(e memory.Entry) bool { return e.About == "" }) {
			continue
		}
		entries := w.about(path, f.Entries, f.Entries, subjects)
		if !slices.EqualFunc(entries, f.Entries, func(a, b memory.Entry) bool { return a.About == b.About }) {
			f.Entries = entries
			f.Faults = append(withoutUnmatched(f.Faults), unmatched(path, entries)...)
			w.batch.Restated = append(w.batch.Restated, f)
		}
	}
	slices.SortFunc(w.batch.Restated, func(a, b memory.FileState) int { return strings.Compare(a.Path, b.Path) })
}

// subjects are the memories of the batch, then those known beside it.
func (w *work) subjects(known []identity.Known) []subject {
	var all []subject
	placed := map[memory.ID]bool{}
	for _, p := range w.batch.Placed {
		placed[p.ID] = true
		all = append(all, subject{p.ID, p.Path, opening(p.Block.Text)})
	}
	for _, k := range known {
		if !placed[k.ID] {
			all = append(all, subject{k.ID, k.Path, opening(k.Text)})
		}
	}
	return all
}

// about fills in what each entry is about. One that reads as it did keeps what
// it was about.
func (w *work) about(path string, entries, before []memory.Entry, subjects []subject) []memory.Entry {
	out := slices.Clone(entries)
	for i := range out {
		e := &out[i]
		e.About = ""
		for _, old := range before {
			if old.About != "" && old.IDPrefix == e.IDPrefix && old.Quote == e.Quote {
				e.About = old.About
			}
		}
		if e.About == "" {
			e.About = find(*e, first(e.Path, path), subjects)
		}
	}
	return out
}

// find matches one entry: by id with an agreeing quote, then by exact quote,
// then by similarity; never by id alone, and never by guessing among several.
func find(e memory.Entry, path string, subjects []subject) memory.ID {
	quote := opening(e.Quote)
	if len(quote) == 0 {
		return ""
	}
	byID := func(s subject) bool {
		return e.IDPrefix != "" && strings.HasPrefix(strings.ReplaceAll(string(s.id), "-", ""), e.IDPrefix) &&
			shared(quote, s.words) >= agreesWithID
	}
	exact := func(s subject) bool { return begins(s.words, quote) }
	similar := func(s subject) bool { return len(quote) > 2 && shared(quote, s.words) >= agreesAlone }
	for _, matches := range []func(subject) bool{byID, exact, similar} {
		if id, ok := only(subjects, path, matches); ok {
			return id
		}
	}
	return ""
}

// only is the one subject that matches: the only one in the entry's own file,
// else the only one at all.
func only(subjects []subject, path string, matches func(subject) bool) (memory.ID, bool) {
	var here, all []memory.ID
	for _, s := range subjects {
		if matches(s) {
			all = append(all, s.id)
			if s.path == path {
				here = append(here, s.id)
			}
		}
	}
	switch {
	case len(here) == 1:
		return here[0], true
	case len(all) == 1:
		return all[0], true
	}
	return "", false
}

// opening is the words that a text begins with, as a quote has them.
func opening(text string) []string {
	words := strings.Fields(strings.TrimRight(strings.TrimSpace(text), "…"))
	return words[:min(quoteWords, len(words))]
}

func begins(words, quote []string) bool {
	return len(words) >= len(quote) && slices.Equal(words[:len(quote)], quote)
}

// shared is the share of quote's words that words has too, in order.
func shared(quote, words []string) float64 {
	row := make([]int, len(words)+1)
	for _, q := range quote {
		diagonal := 0
		for j, w := range words {
			above := row[j+1]
			if strings.EqualFold(q, w) {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			diagonal = above
		}
	}
	return float64(row[len(words)]) / float64(max(len(quote), len(words)))
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

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
