package transformer

// A product of matrices is computed in tiles of tileRows rows and panelCols columns, which
// fit into the registers of the processor.
const (
	tileRows  = 4
	panelCols = 16
)

// roundUp returns the next multiple of a step.
func roundUp(n, step int) int { return (n + step - 1) / step * step }

// interleave writes rows as tiles: the first numbers of tileRows rows, their second numbers,
// and so on. Zeros fill the last tile.
func interleave(to, from []float32, stride, rows, cols int) []float32 {
	to = to[:roundUp(rows, tileRows)*cols]
	if rows%tileRows != 0 {
		clear(to[rows/tileRows*tileRows*cols:])
	}
	for row := range rows {
		tile := to[row/tileRows*tileRows*cols+row%tileRows:]
		for i, x := range from[row*stride:][:cols] {
			tile[i*tileRows] = x
		}
	}
	return to
}

// multiplyPlain adds the product of a tile and a panel to tileRows rows of sums. The tile
// has the numbers of its rows interleaved. Row i of the panel begins at i × stride.
func multiplyPlain(sums []float32, sumStride int, tile, panel []float32, stride int) {
	const atOnce = 8 // so many sums fit into registers
	for row := range tileRows {
		for col := 0; col < panelCols; col += atOnce {
			var s0, s1, s2, s3, s4, s5, s6, s7 float32
			for i, at := row, col; i < len(tile); i, at = i+tileRows, at+stride {
				x, y := tile[i], (*[atOnce]float32)(panel[at:])
				s0, s1, s2, s3 = s0+x*y[0], s1+x*y[1], s2+x*y[2], s3+x*y[3]
				s4, s5, s6, s7 = s4+x*y[4], s5+x*y[5], s6+x*y[6], s7+x*y[7]
			}
			for i, sum := range [atOnce]float32{s0, s1, s2, s3, s4, s5, s6, s7} {
				sums[row*sumStride+col+i] += sum
			}
		}
	}
}
