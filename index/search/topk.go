package search

import (
	"cmp"
	"slices"
	"sync"
)

// TopByScore returns the n numbers with the highest scores, best first. compareEqual
// orders those with the same score.
func TopByScore(all []int32, n int, scores []float32, compareEqual func(a, b int32) int) []int32 {
	threshold := float32(0)
	if n < len(all) {
		threshold = nthHighest(all, n, scores)
	}
	top := make([]int32, 0, n+n/8)
	for _, i := range all {
		if n >= len(all) || scores[i] >= threshold {
			top = append(top, i)
		}
	}
	slices.SortFunc(top, func(a, b int32) int {
		if sa, sb := scores[a], scores[b]; sa != sb {
			return cmp.Compare(sb, sa)
		}
		return compareEqual(a, b)
	})
	return top[:min(n, len(top))]
}

// scoreBuffers holds memory for copies of scores.
var scoreBuffers = sync.Pool{New: func() any { return new([]float32) }}

// nthHighest returns the n-th highest score, by quickselect on a copy.
func nthHighest(all []int32, n int, scores []float32) float32 {
	buffer := scoreBuffers.Get().(*[]float32)
	defer scoreBuffers.Put(buffer)
	*buffer = (*buffer)[:0]
	for _, at := range all {
		*buffer = append(*buffer, scores[at])
	}
	list := *buffer
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
