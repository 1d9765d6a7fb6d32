package recall

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/memory-tiered/memory/embed"
)

// maxRead is how many notes are read for a prompt: the most similar ones.
const maxRead = 4

// The weights of a note's likelihood, fitted on notes that are for tuning: tools/reader/README.md.
// It rises with what the reader says, with the similarity, and falls with the distance to the
// most similar memory. With this bias, [DefaultFloor] is where the fitted probability is 0.15.
const (
	weightOfReading    = 0.2309
	weightOfSimilarity = 0.2223 // of its log odds
	weightOfDistance   = 3.8113
	readingBias        = -0.3550
)

// readNotes lets the embedder read the most similar notes together with the prompt, if it can.
// Its likelihood then takes the place of its similarity. A note beyond these is no likelier
// than they are. In talk an answer is spread over turns, so turns are not read.
func (r *Recaller) readNotes(ctx context.Context, found []*candidate, q laneQuery) {
	reader, reads := r.emb.(embed.Reader)
	if !reads || !q.hasVector() || q.intent.Unknown || len(found) == 0 {
		return
	}
	notes := make([]*candidate, 0, len(found))
	for _, c := range found {
		if c.Signals.Speaker == "" && c.similarity > 0 {
			notes = append(notes, c)
		}
	}
	slices.SortStableFunc(notes, func(a, b *candidate) int { return cmp.Compare(b.similarity, a.similarity) })
	texts := make([]string, min(maxRead, len(notes)))
	for i := range texts {
		texts[i] = notes[i].Text
	}
	odds, err := reader.Read(ctx, q.Text, texts)
	if err != nil {
		return // the similarity alone decides
	}
	best, least := highestSimilarity(found), 1.0
	for i, odds := range odds {
		if c := notes[i]; !math.IsNaN(odds) {
			c.similarity = likelihood(odds, c.similarity, best)
			least = min(least, c.similarity)
		}
	}
	for _, c := range notes[len(texts):] {
		c.similarity = min(c.similarity, least)
	}
}

// likelihood returns how likely a note answers, from its reading, its similarity and the best
// one.
func likelihood(reading, similarity, best float64) float64 {
	const certain = 0.9975
	s := min(max(similarity, 1-certain), certain)
	odds := weightOfReading*reading + weightOfSimilarity*math.Log(s/(1-s)) + weightOfDistance*(similarity-best) + readingBias
	return 1 / (1 + math.Exp(-odds))
}
