package index

import (
	"cmp"
	"slices"
)

// topByScore gives the n of the highest scores, best first. equals orders those of
// the same score.
func topByScore(all []int32, n int, scores []float32, equals func(x, y int32) int) []int32 {
	least := float32(0)
	if n < len(all) {
		least = nthHighest(all, n, scores)
	}
	kept := make([]int32, 0, n+n/8)
	for _, at := range all {
		if n >= len(all) || scores[at] >= least {
			kept = append(kept, at)
		}
	}
	slices.SortFunc(kept, func(x, y int32) int {
		if a, b := scores[x], scores[y]; a != b {
			return cmp.Compare(b, a)
		}
		return equals(x, y)
	})
	return kept[:min(n, len(kept))]
}

// nthHighest is the n-th highest score: quickselect, on a copy.
func nthHighest(all []int32, n int, scores []float32) float32 {
	list := make([]float32, len(all))
	for i, at := range all {
		list[i] = scores[at]
	}
	for from, to := 0, len(list); ; {
		pivot := median(list[from], list[(from+to)/2], list[to-1])
		i, j := from, to-1
		for i <= j {
			for list[i] > pivot {
				i++
			}
			for list[j] < pivot {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case n-1 <= j:
			to = j + 1
		case n-1 >= i:
			from = i
		default:
			return pivot
		}
	}
}

func median(a, b, c float32) float32 { return max(min(a, b), min(max(a, b), c)) }
