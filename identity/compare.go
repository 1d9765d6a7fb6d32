package identity

// overlap measures how similar two texts are, by their words in common order.
type overlap struct {
	dice        float64 // Dice coefficient: the share of both texts' words that is common, 0 to 1
	containment float64 // the share of the shorter text's words that the longer one contains, 0 to 1
}

// mayOverlap is a cheap upper bound: it compares the words without their order
// and reports whether the texts may be similar enough.
func (a wordList) mayOverlap(b wordList) bool {
	common := 0
	for i, j := 0, 0; i < len(a.sorted) && j < len(b.sorted); {
		switch x, y := a.sorted[i], b.sorted[j]; {
		case x < y:
			i++
		case y < x:
			j++
		default:
			i, j, common = i+1, j+1, common+1
		}
	}
	total, shorter := float64(len(a.words)+len(b.words)), minLen(a, b)
	bound := float64(common)
	return 2*bound > rejectDice*total || bound >= partContainment*float64(shorter) && 2*bound >= partDice*total
}

// compare finds the longest common subsequence of the words of two texts. A
// light edit keeps nearly all words. An added clause costs half of what it
// would if the length of the longer text were the measure.
func compare(a, b []int32) overlap {
	if len(a) == 0 || len(b) == 0 {
		return overlap{}
	}
	total, shorter := float64(len(a)+len(b)), float64(min(len(a), len(b)))
	prefix := 0
	for prefix < len(a) && prefix < len(b) && a[prefix] == b[prefix] {
		prefix++
	}
	a, b = a[prefix:], b[prefix:]
	suffix := 0
	for suffix < len(a) && suffix < len(b) && a[len(a)-1-suffix] == b[len(b)-1-suffix] {
		suffix++
	}
	a, b = a[:len(a)-suffix], b[:len(b)-suffix]
	common := float64(prefix + suffix + lcsLen(a, b))
	return overlap{dice: 2 * common / total, containment: common / shorter}
}

// lcsLen returns the length of the longest common subsequence, computed 64
// words at a time. Bit j of row is 0 where the length grows at word j of a.
func lcsLen(a, b []int32) int {
	blocks := (len(a) + 63) / 64
	positions := map[int32][]uint64{}
	for i, w := range a {
		if positions[w] == nil {
			positions[w] = make([]uint64, blocks)
		}
		positions[w][i/64] |= 1 << (i % 64)
	}
	row := make([]uint64, blocks)
	for i := range row {
		row[i] = ^uint64(0)
	}
	for _, w := range b {
		mask := positions[w]
		if mask == nil {
			continue
		}
		carry := uint64(0)
		for i, r := range row {
			u := r & mask[i]
			sum := r + u
			total := sum + carry
			if sum < r || total < sum {
				carry = 1
			} else {
				carry = 0
			}
			row[i] = total | r&^mask[i]
		}
	}
	n := 0
	for i := range a {
		if row[i/64]&(1<<(i%64)) == 0 {
			n++
		}
	}
	return n
}

// Similarity returns how similar two texts are by the measure of [Match]: the
// Dice coefficient of their words in common order, 0 to 1. From 0.7 on they are
// the same memory.
func Similarity(a, b string) float64 {
	v := vocabulary{}
	return compare(v.wordIDs(a), v.wordIDs(b)).dice
}
