package transformer

// Tokens returns the tokens of a text.
var Tokens = tokens

// Pair returns the tokens of a question and a note.
var Pair = pair

// Load unpacks weights.
func Load(src []byte) { loadModel(src) }

// MultiplyGroups returns the sums of both implementations for rows and columns. All weights
// have the scale 1/32.
func MultiplyGroups(rows [4][]float32, weights [16][]int8) (plain, asBuilt [4 * panelCols]float32) {
	groups := len(rows[0]) / groupSize
	tile, panel := make([]tileGroup, groups), make([]panelGroup, groups)
	for i, row := range rows {
		quantize(tile, i, row)
	}
	for col, numbers := range weights {
		for i, n := range numbers {
			g := &panel[i/groupSize]
			g.pairs[i%groupSize/2][col][i%2], g.scales[col] = n, 1./32
		}
	}
	multiplyGroupsPlain(plain[:], panelCols, tile, panel)
	multiplyGroups(asBuilt[:], panelCols, tile, panel)
	return plain, asBuilt
}

// Multiply returns the results of both implementations, added to the same sums.
func Multiply(sums []float32, tile, panel []float32) (plain, asBuilt []float32) {
	plain, asBuilt = append(plain, sums...), append(asBuilt, sums...)
	multiplyPlain(plain, panelCols, tile, panel, panelCols)
	multiply(asBuilt, panelCols, tile, panel, panelCols)
	return plain, asBuilt
}
