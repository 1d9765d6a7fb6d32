package recall

import (
	"context"
	"slices"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/recall/question"
)

// itemSimilarity is the least similarity of the memory that answers one of several things
// asked for. A short phrase matches by chance more easily than a question.
const itemSimilarity = 0.3

// addParts searches the parts of a prompt alone, and adds the notes that answer them to
// those that answer the whole. They come first, in the order of the parts. Talk is not
// added, because a prompt in the middle of a talk is about all of it.
func (r *Recaller) addParts(ctx context.Context, now time.Time, found []*candidate, text string, p memory.Predicate) ([]*candidate, error) {
	if r.set.Fusion != FusionRanking || slices.ContainsFunc(found, func(c *candidate) bool { return c.Signals.Speaker != "" }) {
		return found, nil
	}
	var answers []*candidate
	for _, part := range question.Parts(text) {
		q := r.newQuery(ctx, now, part.Text, memory.LaneHybrid, p)
		ofPart, _, err := r.rank(ctx, now, q, p, candidatesPerLane)
		if err != nil {
			return nil, err
		}
		for _, c := range r.answersOf(ofPart, part, q) {
			known := func(a *candidate) bool { return a.ID == c.ID }
			if !slices.ContainsFunc(answers, known) {
				c.answersPart = true
				answers = append(answers, c)
			}
		}
	}
	if len(answers) == 0 {
		return found, nil
	}
	for _, c := range found {
		known := func(a *candidate) bool { return a.ID == c.ID }
		if !slices.ContainsFunc(answers, known) {
			answers = append(answers, c)
		}
	}
	return answers, nil
}

// answersOf returns the notes that a block for a part alone would have.
func (r *Recaller) answersOf(found []*candidate, part question.Part, q laneQuery) []*candidate {
	found, _ = holdingNow(found, q.intent)
	found, _ = aboveFloor(found, r.set)
	found, _ = nearBest(found, q.intent, r.set)
	found = slices.DeleteFunc(slices.Clone(found), func(c *candidate) bool {
		return c.Signals.Speaker != "" || part.IsCode && c.Identifiers == 0 || part.IsItem && c.similarity < itemSimilarity
	})
	if part.IsItem {
		found = found[:min(1, len(found))]
	}
	return found
}
