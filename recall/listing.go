package recall

import (
	"cmp"
	"math"
	"slices"

	"github.com/memory-tiered/memory"
)

// leastShare is the share of the best hit's similarity below which a hit has nothing to do with
// the question. It loses none of the right ones among the first ten hits of 424 questions. Twice
// as much loses two, and a fixed floor of 0.005 six: the right note may have 0.004 if a question
// uses other words.
const leastShare = 0.005

// Listing returns the ranked hits of a search as a reader sees them. Their percentages fall, and
// those that have nothing to do with the question are left out. Hits of one percentage keep the
// order of the ranking. A superseded memory
// has at most the similarity of its successor and comes after it. For a model, untrusted hits
// stay last.
func Listing(hits []memory.Hit, forModel bool) []memory.Hit {
	best := 0.0
	for _, h := range hits {
		best = max(best, h.Similarity)
	}
	list := slices.DeleteFunc(slices.Clone(hits), func(h memory.Hit) bool { return h.Similarity < leastShare*best })
	versions := followSuccessors(list)
	slices.SortStableFunc(list, func(a, b memory.Hit) int {
		if forModel && isUntrusted(a) != isUntrusted(b) {
			if isUntrusted(a) {
				return 1
			}
			return -1
		}
		return cmp.Or(cmp.Compare(percent(b), percent(a)), cmp.Compare(versions[a.ID], versions[b.ID]))
	})
	return list
}

// followSuccessors lowers the similarity of each superseded hit to that of its successors in the
// list. It returns how many there are of each.
func followSuccessors(list []memory.Hit) map[memory.ID]int {
	places, versions := map[memory.ID]int{}, map[memory.ID]int{}
	for i, h := range list {
		places[h.ID] = i
	}
	for i := range list {
		h := &list[i]
		for next := h; next.SupersededBy != nil && versions[h.ID] < len(list); versions[h.ID]++ {
			at, found := places[*next.SupersededBy]
			if !found {
				break
			}
			next = &list[at]
			h.Similarity = min(h.Similarity, next.Similarity)
		}
	}
	return versions
}

func isUntrusted(h memory.Hit) bool { return h.Trust == memory.TrustUntrusted }

// percent returns the similarity as a reader sees it.
func percent(h memory.Hit) float64 { return math.Round(100 * h.Similarity) }
