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
// case. A word that few notes have may be a word like others.
func (r *Recaller) writtenNames(ctx context.Context, q *laneQuery, speakers []string, p memory.Predicate) (names []string) {
	words := q.intent.PossibleNames(q.Text)
	if len(words) > maxCheckedWords {
		return nil
	}
	for _, word := range words {
		if slices.Contains(speakers, word) {
			continue
		}
		if name := question.WrittenName(r.bestWith(ctx, nameQuery(word), p, readForCapitals), word, commonName); name != "" {
			names = append(names, name)
			if name != word {
				names = append(names, word)
			}
		}
	}
	return names
}

// nameQuery returns a query for a word that may be a name. It may find nothing if no memory
// has the word with a capital letter.
func nameQuery(word string) memory.Query {
	q := question.WordQuery([]string{word})
	q.Capitalised = question.NameForms(word)
	return q
}

// bestWith returns the n best memories for the words of a query. There are none if the best is talk.
func (r *Recaller) bestWith(ctx context.Context, q memory.Query, p memory.Predicate, n int) []memory.Memory {
	found, err := r.src.Search(ctx, q, p, n, false)
	if err != nil || len(found.Signals) == 0 || found.Signals[0].Speaker != "" {
		return nil // names only help; the lanes report what is wrong
	}
	ids := make([]memory.ID, len(found.Signals))
	for i, s := range found.Signals {
		ids[i] = s.ID
	}
	read, err := r.src.AppendVisible(ctx, nil, ids, p)
	if err != nil {
		return nil
	}
	return read
}

// stopWordNames returns the stop words that a text and a note write with a capital letter:
// "When does Will work?". Most texts have none that may be a name, so nothing is read.
func (r *Recaller) stopWordNames(ctx context.Context, text string, p memory.Predicate) []string {
	return slices.DeleteFunc(question.StopWordNames(text), func(word string) bool {
		hasCapital := func(m memory.Memory) bool { return language.HasCapital(m.Text, word) }
		return !slices.ContainsFunc(r.bestWith(ctx, nameQuery(word), p, subjectNotes), hasCapital)
	})
}
