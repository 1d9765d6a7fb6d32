package identity

// likeness is how alike two texts are.
type likeness struct {
	kept   float64 // of both texts' words, the share kept in their order: 0 to 1
	within float64 // of the shorter text's words, the share that the longer one has in order
}

const (
	// typoWords is the length of texts in which slips are looked for: in a longer
	// one a mistyped word among many decides nothing.
	typoWords = 64
	// slip is what a word with one slip counts: a text of that word alone is still
	// the same text, and two words that only look alike are not yet one.
	slip = 0.75
	// manySlips is one word in how many may be a slip, and one in any text: more
	// of them is another text.
	manySlips = 4
)

// mayBeLike rules out at little cost what shares too few words in any order.
func (a text) mayBeLike(b text) bool {
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
	total, least := float64(len(a.words)+len(b.words)), shorter(a, b)
	most := float64(common)
	if len(a.words) <= typoWords && len(b.words) <= typoWords {
		most += slip * float64(max(1, least/manySlips))
	}
	return 2*most > anotherMemory*total || most >= partWithin*float64(least) && 2*most >= partKept*total
}

// compare counts the words that two texts have in common in the same order. A
// light edit keeps nearly all of them, and an added clause costs half of what
// it would if the longer text alone were counted.
func (v *vocabulary) compare(a, b []int32) likeness {
	if len(a) == 0 || len(b) == 0 {
		return likeness{}
	}
	total, shorter := float64(len(a)+len(b)), float64(min(len(a), len(b)))
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	a, b = a[head:], b[head:]
	tail := 0
	for tail < len(a) && tail < len(b) && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	a, b = a[:len(a)-tail], b[:len(b)-tail]
	common := float64(head + tail)
	switch {
	case len(a) == 0 || len(b) == 0:
	case len(a) <= typoWords && len(b) <= typoWords:
		common += v.commonWithSlips(a, b)
	default:
		common += float64(commonInOrder(a, b))
	}
	return likeness{kept: 2 * common / total, within: common / shorter}
}

// commonWithSlips is the weight of the heaviest common subsequence.
func (v *vocabulary) commonWithSlips(a, b []int32) float64 {
	weight := v.weights(a, b)
	row := make([]float64, len(b)+1)
	for i := range a {
		diagonal := 0.0
		for j := range b {
			above := row[j+1]
			best := max(above, row[j])
			if w := weight(i, j); w > 0 {
				best = max(best, diagonal+w)
			}
			row[j+1], diagonal = best, above
		}
	}
	return row[len(b)]
}

// weights says what pairing two words counts. Only words that the other text
// lacks are looked at for slips.
func (v *vocabulary) weights(a, b []int32) func(i, j int) float64 {
	inA, inB := map[int32]bool{}, map[int32]bool{}
	for _, w := range a {
		inA[w] = true
	}
	for _, w := range b {
		inB[w] = true
	}
	slips := map[[2]int32]bool{}
	for x := range inA {
		for y := range inB {
			if !inB[x] && !inA[y] && oneSlip(v.words[x], v.words[y]) {
				slips[[2]int32{x, y}] = true
			}
		}
	}
	return func(i, j int) float64 {
		switch {
		case a[i] == b[j]:
			return 1
		case len(slips) > 0 && slips[[2]int32{a[i], b[j]}]:
			return slip
		}
		return 0
	}
}

// commonInOrder is the length of the longest common subsequence, computed 64
// words at a time: bit j of row is 0 where the length grows at word j of a.
func commonInOrder(a, b []int32) int {
	blocks := (len(a) + 63) / 64
	at := map[int32][]uint64{}
	for i, w := range a {
		if at[w] == nil {
			at[w] = make([]uint64, blocks)
		}
		at[w][i/64] |= 1 << (i % 64)
	}
	row := make([]uint64, blocks)
	for i := range row {
		row[i] = ^uint64(0)
	}
	for _, w := range b {
		where := at[w]
		if where == nil {
			continue
		}
		carry := uint64(0)
		for i, r := range row {
			u := r & where[i]
			sum := r + u
			grown := sum + carry
			if sum < r || grown < sum {
				carry = 1
			} else {
				carry = 0
			}
			row[i] = grown | r&^where[i]
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

// Similarity is how alike two texts are by the measure of [Match]: of both texts'
// words, the share kept in order, 0 to 1. At 0.7 they say the same.
func Similarity(a, b string) float64 {
	v := newVocabulary()
	return v.compare(v.split(a), v.split(b)).kept
}
