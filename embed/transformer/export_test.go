package transformer

// Tokens returns the tokens of a text.
var Tokens = tokens

// Load unpacks weights.
func Load(src []byte) error {
	_, err := loadModel(src)
	return err
}

// Multiply returns the results of both implementations, added to the same sums.
func Multiply(sums []float32, tile, panel []float32) (plain, asBuilt []float32) {
	plain, asBuilt = append(plain, sums...), append(asBuilt, sums...)
	multiplyScalar(plain, panelCols, tile, panel, panelCols)
	multiply(asBuilt, panelCols, tile, panel, panelCols)
	return plain, asBuilt
}

// UnpackAll unpacks every matrix of a file, and returns how many numbers they have.
func UnpackAll(src []byte) (numbers int, err error) {
	w, err := readWeights(src)
	if err != nil {
		return 0, err
	}
	for _, m := range w.matrices {
		numbers += m.Rows * m.Cols
		if m.Bits == matrixBits && m.Rows%panelCols == 0 {
			m.unpack(make([]float32, m.Rows*m.Cols))
		}
		if m.Bits == tableBits {
			for row := range m.Rows {
				m.addRow(make([]float32, m.Cols), row)
			}
		}
	}
	return numbers, nil
}
