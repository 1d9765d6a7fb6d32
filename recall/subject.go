package recall

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/lang"
	"github.com/memory-tiered/memory/recall/question"
	"github.com/memory-tiered/memory/recall/ranking"
)

// subject is whom or what a question is about, if many notes share the name. Then the name
// tells nothing about which of them answers: these notes are compared with the rest of the
// question, and with each other. docs/decisions/0015-subjects.md has the figures.
type subject struct {
	names []string // in lower case
	notes map[memory.ID]bool
	whole bool // everything about it is asked for
}

// commonName is the number of notes from which a name is a subject.
const commonName = 4

// subjectNotes is the number of notes with a name that are read.
const subjectNotes = 500

// findSubject returns the subject of a question, or nil. A question that names several
// things has none, nor has one about talk: there the speakers are known.
func (r *Recaller) findSubject(ctx context.Context, q *laneQuery, speakers []string, p memory.Predicate) *subject {
	if r.set.Fusion != FusionRanking || !q.useText || !q.useVectors {
		return nil
	}
	names, notes := r.readSubjects(ctx, q, speakers, p)
	isCommon := func(notes map[memory.ID]bool) bool { return len(notes) >= commonName }
	first := slices.IndexFunc(notes, isCommon)
	if first < 0 {
		return nil
	}
	s := &subject{notes: notes[first]}
	for i, name := range names {
		switch shared := countShared(notes[i], s.notes); {
		case 2*shared >= max(len(notes[i]), len(s.notes)): // of a name of several words
			s.names = append(s.names, name)
		case len(notes[i]) >= commonName || len(notes[i]) > 0 && shared == 0:
			return nil
		}
	}
	return s
}

// readSubjects returns the names that may be the subject of a question, and the notes that
// have them.
func (r *Recaller) readSubjects(ctx context.Context, q *laneQuery, speakers []string, p memory.Predicate) (names []string, notes []map[memory.ID]bool) {
	names = slices.DeleteFunc(q.intent.Subjects(q.Text), func(name string) bool { return slices.Contains(speakers, name) })
	for _, name := range names {
		found, err := r.notesWith(ctx, name, p)
		if err != nil {
			return nil, nil // names only help; the lanes report what is wrong
		}
		notes = append(notes, found)
	}
	return names, notes
}

// notesWith returns the notes that have a name in their text or headings. There are none
// if talk has it.
func (r *Recaller) notesWith(ctx context.Context, name string, p memory.Predicate) (map[memory.ID]bool, error) {
	found, err := r.src.Search(ctx, question.WordQuery([]string{name}), p, subjectNotes, false)
	notes := map[memory.ID]bool{}
	for _, s := range found.Signals {
		if s.Speaker != "" {
			return nil, err
		}
		if s.Score > 0 {
			notes[s.ID] = true
		}
	}
	return notes, err
}

// countShared returns the number of notes that two sets share.
func countShared(a, b map[memory.ID]bool) (n int) {
	for id := range a {
		if b[id] {
			n++
		}
	}
	return n
}

// askAbout sets the subject of a question, and removes its names from the words to search
// for. If nothing else is asked, the question is about the subject as a whole.
func (q *laneQuery) askAbout(s *subject) {
	if q.subject = s; s == nil {
		return
	}
	rest := q.intent
	rest.DropNames(s.names)
	if s.whole = rest.AsksForAll(); !s.whole {
		q.intent, q.Terms = rest, rest.Terms
	}
}

// droppedNames returns the names that are no part of what is searched for.
func (s *subject) droppedNames() []string {
	if s == nil || s.whole {
		return nil
	}
	return s.names
}

// has reports whether a memory is about the subject. More notes may have the name than were
// read.
func (s *subject) has(c *candidate) bool {
	return s.notes[c.ID] || lang.AnyWord(c.Text, func(w string) bool { return slices.Contains(s.names, strings.TrimSuffix(w, "'s")) })
}

// isAsked reports whether a question asks one thing of a subject.
func (s *subject) isAsked() bool { return s != nil && !s.whole }

// isComparedWith reports whether a memory is compared with the notes about the subject.
// Without a subject all are compared with each other.
func (s *subject) isComparedWith(c *candidate) bool { return s == nil || s.whole || c.About > 0 }

// searchSubject returns the signals of the notes about the subject that the lanes did not
// find. In a small workspace there are none.
func (r *Recaller) searchSubject(ctx context.Context, q laneQuery, l lanes, p memory.Predicate, k int) (found []memory.Signals, err error) {
	if q.subject == nil {
		return nil, nil
	}
	missing := make(map[memory.ID]bool, len(q.subject.notes))
	for id := range q.subject.notes {
		missing[id] = len(p.IDs) == 0 || slices.Contains(p.IDs, id)
	}
	for _, s := range l.signals {
		delete(missing, s.ID)
	}
	p.IDs = nil
	for id, isMissing := range missing {
		if isMissing {
			p.IDs = append(p.IDs, id)
		}
	}
	if len(p.IDs) == 0 {
		return nil, nil
	}
	slices.Sort(p.IDs)
	more, err := r.src.Search(ctx, q.Query, p, k, q.hasVector())
	if err != nil {
		return nil, fmt.Errorf("search the subject: %w", err)
	}
	return more.Signals, nil
}

// wholeSimilarity is the similarity of the notes about a subject if everything about it is
// asked for.
const wholeSimilarity = 0.6

// admit raises the similarity of the notes that stand out by their meaning among those
// about the subject. If everything about it is asked for, it raises that of all.
func (s *subject) admit(found []*candidate, q *laneQuery, hasVectors bool) {
	if s == nil {
		return
	}
	var outstanding []ranking.NoteAbout
	if hasVectors && !s.whole {
		outstanding = ranking.StandingOut(notesAbout(found), q.sentenceModel)
	}
	if s.whole {
		for _, c := range found {
			if s.has(c) {
				c.similarity = max(c.similarity, wholeSimilarity)
			}
		}
	}
	for _, c := range found {
		if slices.ContainsFunc(outstanding, func(n ranking.NoteAbout) bool { return n.Features == &c.Features }) {
			c.similarity = max(c.similarity, ranking.MeaningSimilarity)
		}
	}
}

// notesAbout returns the notes about the subject of a question.
func notesAbout(found []*candidate) (about []ranking.NoteAbout) {
	for _, c := range found {
		if c.About > 0 {
			about = append(about, ranking.NoteAbout{Features: &c.Features, Alignment: c.alignment})
		}
	}
	return about
}
