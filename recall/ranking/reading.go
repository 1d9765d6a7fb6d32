package ranking

import "math"

// The log-odds of a reader are joined with those of the similarity, and
// with how far these are behind the highest ones. Fitted on the tune halves of all sets with
// notes: tools/reader/README.md has the figures.
const (
	readBias, readSimilarity, readOdds, readBehind = 0.5, 0.5, 0.6, -0.4

	// Beyond these similarities, and these log-odds of a reader, the difference tells nothing.
	leastRead, mostRead = 0.002, 0.97
	leastOdds, mostOdds = -3, 3.5
)

// AfterReading returns the similarity of a note after a reader. highest is the highest
// similarity of any note of the question.
func AfterReading(similarity, highest, odds float64) float64 {
	before := logOddsOf(similarity)
	behind := logOddsOf(highest) - before
	return 1 / (1 + math.Exp(-(readBias + readSimilarity*before + readBehind*behind + readOdds*min(mostOdds, max(leastOdds, odds)))))
}

// MayRead returns the lowest and the highest similarity that a note may have after a reader.
func MayRead(similarity, highest float64) (low, high float64) {
	return AfterReading(similarity, highest, leastOdds), AfterReading(similarity, highest, mostOdds)
}

func logOddsOf(similarity float64) float64 {
	p := min(mostRead, max(leastRead, similarity))
	return math.Log(p / (1 - p))
}
