package recall

import (
	"context"
	"slices"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/language"
	"github.com/memory-tiered/memory/recall/question"
)

// People type names in small letters, too: "what can lena not eat?". The notes tell that
// such a word is a name, because they write it with a capital letter.

// readForCapitals is the number of notes that are read to learn how a word is written.
const readForCapitals = 12

// maxCheckedWords bounds the words that are checked. A long prompt has other evidence.
const maxCheckedWords = 8

// writtenNames returns the words of a question that the notes write as names, in lower
// case, and their notes. A word that few notes have may be a word like others.
func (r *Recaller) writtenNames(ctx context.Context, q *laneQuery, speakers []string, p memory.Predicate) (names []string) {
	words := q.intent.PossibleNames(q.Text)
	if len(words) > maxCheckedWords {
		return nil
	}
	for _, word := range words {
		if slices.Contains(speakers, word) {
			continue
		}
		notes, err := r.notesWith(ctx, word, p)
		if err != nil || len(notes) < commonName {
			continue
		}
		if name := r.nameOf(ctx, word, notes, p); name != "" {
			names = append(names, name)
			if name != word {
				names = append(names, word)
			}
		}
	}
	return names
}

// nameOf returns the name that a word is, as some of its notes tell: the word itself, or
// without the s of a possessive. It is empty if the notes have the word in small letters.
func (r *Recaller) nameOf(ctx context.Context, word string, notes map[memory.ID]bool, p memory.Predicate) string {
	ids := make([]memory.ID, 0, len(notes))
	for id := range notes {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	read, err := r.src.AppendVisible(ctx, nil, ids[:min(len(ids), readForCapitals)], p)
	if err != nil {
		return ""
	}
	for _, form := range question.NameForms(word) {
		var c language.Capitals
		for i := range read {
			c.Count(read[i].Text, form)
		}
		if c.ShowName(commonName) {
			return form
		}
		if c.Any() {
			return ""
		}
	}
	return ""
}

// stopWordNames returns the stop words that a text and a note write with a capital letter:
// "When does Will work?". Most texts have none that may be a name, so nothing is read.
func (r *Recaller) stopWordNames(ctx context.Context, text string, p memory.Predicate) []string {
	return slices.DeleteFunc(question.StopWordNames(text), func(word string) bool {
		found, err := r.src.Search(ctx, question.WordQuery([]string{word}), p, subjectNotes, false)
		if err != nil {
			return true // names only help; the lanes report what is wrong
		}
		ids := make([]memory.ID, len(found.Signals))
		for i, s := range found.Signals {
			ids[i] = s.ID
		}
		notes, err := r.src.AppendVisible(ctx, nil, ids, p)
		return err != nil || !slices.ContainsFunc(notes, func(m memory.Memory) bool { return language.HasCapital(m.Text, word) })
	})
}
