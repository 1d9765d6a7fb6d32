package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/notation"
)

// A trigger calls for its memory if its words are in the prompt. The numbers are those of
// OpenClaw 2026.9.6 (active-memory), whose files have such triggers.
const (
	maxCalled     = 3    // memories of a prompt
	leastCall     = 0.65 // of the weighted sum
	phraseWeight  = 0.8  // of how well a phrase matches; the similarity has the rest
	oneWordPhrase = 0.85 // the score of a phrase of one word that the prompt has
)

// calls returns how well the best phrase of each memory with triggers matches a prompt, if
// that may be enough. It reads only what the predicate accepts.
func (r *Recaller) calls(ctx context.Context, prompt string, p memory.Predicate) (map[memory.ID]float64, error) {
	triggers, err := r.src.Triggers(ctx, p)
	if err != nil {
		return nil, fmt.Errorf("read triggers: %w", err)
	}
	if len(triggers) == 0 {
		return nil, nil
	}
	called := map[memory.ID]float64{}
	said := triggerWords(prompt)
	for id, phrases := range triggers {
		for _, phrase := range phrases {
			called[id] = max(called[id], phraseScore(phrase, said))
		}
		if callScore(called[id], 1) < leastCall {
			delete(called, id)
		}
	}
	return called, nil
}

func callScore(phrase, similarity float64) float64 {
	return phraseWeight*phrase + (1-phraseWeight)*similarity
}

// phraseScore returns how well a phrase matches the words of a prompt, from 0 to 1.
func phraseScore(phrase string, said map[string]bool) float64 {
	words := triggerWords(phrase)
	shared := 0
	for w := range words {
		if said[w] {
			shared++
		}
	}
	switch {
	case shared == 0:
		return 0
	case len(words) == 1:
		return oneWordPhrase
	}
	return 0.8*float64(shared)/float64(len(words)) + 0.2*min(1, float64(shared)/2)
}

// triggerWords returns the words of a text in lower case: runs of letters, digits and _, of
// at least two characters.
func triggerWords(text string) map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(c rune) bool { return c != '_' && !unicode.In(c, unicode.L, unicode.N) }) {
		if utf8.RuneCountInString(w) > 1 {
			words[w] = true
		}
	}
	return words
}

// addCalled rates the candidates that triggers call for, and adds those that no lane found.
// Untrusted memories have no triggers: nobody vetted when they are put before a model.
func (r *Recaller) addCalled(ctx context.Context, now time.Time, found []*candidate, called map[memory.ID]float64, p memory.Predicate) ([]*candidate, error) {
	if len(called) == 0 {
		return found, nil
	}
	others, err := r.notFound(ctx, found, called, p)
	if err != nil {
		return nil, err
	}
	score(others, now, r.set)
	found = append(slices.Clone(found), others...)
	for _, c := range found {
		if rating := callScore(called[c.ID], c.similarity); called[c.ID] > 0 && rating >= leastCall && !c.isUntrusted() {
			c.called = rating
		}
	}
	return slices.DeleteFunc(found, func(c *candidate) bool { return c.called == 0 && slices.Contains(others, c) }), nil
}

// takeCalled takes the best memories that triggers call for out of a list. Their similarity
// is at least their rating from then on.
func takeCalled(found []*candidate, s Settings) (called, others []*candidate) {
	for _, c := range found {
		if c.called > 0 {
			called = append(called, c)
		}
	}
	if len(called) == 0 {
		return nil, found
	}
	slices.SortFunc(called, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.called, a.called), cmp.Compare(a.Path, b.Path), cmp.Compare(a.LineStart, b.LineStart))
	})
	for _, c := range called[min(maxCalled, len(called)):] {
		c.called = 0
	}
	called = called[:min(maxCalled, len(called))]
	for _, c := range found {
		if c.called == 0 {
			others = append(others, c)
			continue
		}
		c.similarity = max(c.similarity, c.called)
		c.composite.similarity = c.similarity
		c.score = c.composite.score(s)
	}
	return called, others
}

// notFound reads the memories that triggers call for and that are no candidates yet.
func (r *Recaller) notFound(ctx context.Context, found []*candidate, called map[memory.ID]float64, p memory.Predicate) (list []*candidate, err error) {
	var ids []memory.ID
	for id := range called {
		if !slices.ContainsFunc(found, func(c *candidate) bool { return c.ID == id }) {
			ids = append(ids, id)
		}
	}
	memories, err := r.src.AppendVisible(ctx, nil, ids, p)
	if err != nil {
		return nil, fmt.Errorf("read what a trigger calls for: %w", err)
	}
	marks := notation.Marks{}
	for i := range memories {
		c := &candidate{}
		c.Memory = &memories[i]
		c.Validity = marks.Of(c.Memory)
		list = append(list, c)
	}
	if !p.AsOf.IsZero() {
		rewind(list, p.AsOf)
	}
	return list, nil
}
