package transformer

// Tokens returns the tokens of a text.
var Tokens = tokens

// Load unpacks weights.
func Load(src []byte) { loadModel(src) }

// Multiply returns the results of both implementations, added to the same sums.
func Multiply(sums []float32, tile, panel []float32) (plain, asBuilt []float32) {
	plain, asBuilt = append(plain, sums...), append(asBuilt, sums...)
	multiplyScalar(plain, panelCols, tile, panel, panelCols)
	multiply(asBuilt, panelCols, tile, panel, panelCols)
	return plain, asBuilt
}
