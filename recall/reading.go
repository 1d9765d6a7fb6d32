package recall

import (
	"context"

	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/recall/ranking"
)

// readNotes is how many notes may be read for a prompt.
const readNotes = 5

// read lets a model that can read judge the first notes, unless its judgement cannot change
// the block. Its examples are notes, so it reads no talk. It does not read what is asked for as
// a whole: no note alone answers that.
func (r *Recaller) read(ctx context.Context, found []*candidate, q laneQuery) {
	reader, canRead := r.emb.(embed.Reader)
	if !r.set.Reader || !canRead || !q.hasVector() || r.set.Fusion != FusionRanking || q.subject != nil && q.subject.whole {
		return
	}
	highest := highestSimilarity(found)
	var notes []*candidate
	var texts []string
	for _, c := range found[:min(readNotes, len(found))] {
		low, high := ranking.MayRead(c.similarity, highest)
		if c.Signals.Speaker == "" && low < likely && high >= r.set.FloorFor(c.Memory) {
			notes, texts = append(notes, c), append(texts, c.headed())
		}
	}
	odds, err := reader.Read(ctx, q.Text, texts)
	if err != nil || len(odds) < len(notes) { // the similarities stay as they are
		return
	}
	for i, c := range notes {
		c.similarity = ranking.AfterReading(c.similarity, highest, odds[i])
	}
}

// headed returns the text of a memory after its innermost heading.
func (c *candidate) headed() string {
	if len(c.Heading) == 0 {
		return c.Text
	}
	return c.Heading[len(c.Heading)-1] + ": " + c.Text
}
