package eval

import (
	"slices"

	"github.com/memory-tiered/memory"
)

// SimilarityBin counts the memories of all blocks with a similarity from From to less than
// From + 0.05. The bins from a floor upwards tell what a block would be with this floor, if
// the floor of the run was lower. Right ÷ Memories tells how reliable a similarity is.
type SimilarityBin struct {
	From     float64 `json:"from"`
	Memories int     `json:"memories"` // without the allowed ones
	Right    int     `json:"right"`    // of the memories, those that are relevant

	Answers int `json:"answers"` // answerable queries whose most similar right memory is in the bin
	Noise   int `json:"noise"`   // unanswerable queries whose most similar memory is in the bin
}

// binsPerUnit is the number of bins from similarity 0 to 1.
const binsPerUnit = 20

// similarityBins is the histogram of a run. A nil one is empty.
type similarityBins []SimilarityBin

// at returns the bin of a similarity.
func (bins *similarityBins) at(similarity float64) *SimilarityBin {
	if *bins == nil {
		*bins = make(similarityBins, binsPerUnit)
		for i := range *bins {
			(*bins)[i].From = round(float64(i)/binsPerUnit, 1e2)
		}
	}
	return &(*bins)[min(binsPerUnit-1, int(similarity*binsPerUnit))]
}

// add counts the block of a query.
func (bins *similarityBins) add(g Golden, block []memory.Hit) {
	bestRight, best := -1.0, -1.0
	for _, h := range block {
		covered := func(l Line) bool { return l.CoveredBy(h) }
		isRight := slices.ContainsFunc(g.Relevant, covered)
		if !isRight && slices.ContainsFunc(g.Allowed, covered) {
			continue
		}
		bin := bins.at(h.Similarity)
		bin.Memories++
		best = max(best, h.Similarity)
		if isRight {
			bin.Right++
			bestRight = max(bestRight, h.Similarity)
		}
	}
	switch {
	case bestRight >= 0:
		bins.at(bestRight).Answers++
	case best >= 0 && len(g.Relevant) == 0:
		bins.at(best).Noise++
	}
}
