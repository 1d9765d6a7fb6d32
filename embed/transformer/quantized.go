package transformer

import "math"

// The matrices of the layers stay integers of six bits, as in their file. The rows that they
// multiply get sixteen bits. A group of numbers has one scale in both, and the products
// within a group are sums of integers.
const (
	groupSize  = 16
	groupPairs = groupSize / 2
	maxNumber  = math.MaxInt16
)

// panelGroup is a group of each column of a panel.
type panelGroup struct {
	pairs  [groupPairs][panelCols][2]int8
	scales [panelCols]float32
}

// tileGroup is a group of each row of a tile.
type tileGroup struct {
	pairs  [groupPairs][tileRows][2]int16
	scales [tileRows]float32
}

// quantize writes a row of numbers into a tile.
func quantize(tile []tileGroup, row int, numbers []float32) {
	for g := range tile {
		t, group := &tile[g], (*[groupSize]float32)(numbers[g*groupSize:])
		var bits uint32 // of the largest number without its sign: they have the order of the numbers
		for _, x := range group {
			bits = max(bits, math.Float32bits(x)&math.MaxInt32)
		}
		const tiny = 1e-30 // the largest of zeros, which divides
		largest := max(math.Float32frombits(bits), tiny)
		t.scales[row] = largest / maxNumber
		inverse := maxNumber / largest
		for i := range t.pairs {
			t.pairs[i][row] = [2]int16{round(group[2*i] * inverse), round(group[2*i+1] * inverse)}
		}
	}
}

// round rounds a number of at most maxNumber. It cuts off a positive one, which is fast.
func round(x float32) int16 {
	const up = maxNumber + 1
	return int16(int32(x+(up+0.5)) - up)
}

// multiplyGroupsPlain adds the product of a tile and a panel to tileRows rows of sums. It
// computes two columns at once: a 64-bit number has the sum of one in each half.
func multiplyGroupsPlain(sums []float32, stride int, tile []tileGroup, panel []panelGroup) {
	for g := range tile {
		t, p := &tile[g], &panel[g]
		for col := 0; col < panelCols; col += 2 {
			var a, b, c, d int64
			for i := range t.pairs {
				rows, left, right := &t.pairs[i], &p.pairs[i][col], &p.pairs[i][col+1]
				x, y := int64(left[0])+int64(right[0])<<32, int64(left[1])+int64(right[1])<<32
				a += int64(rows[0][0])*x + int64(rows[0][1])*y
				b += int64(rows[1][0])*x + int64(rows[1][1])*y
				c += int64(rows[2][0])*x + int64(rows[2][1])*y
				d += int64(rows[3][0])*x + int64(rows[3][1])*y
			}
			for row, both := range [tileRows]int64{a, b, c, d} {
				left := int32(both)
				right := (both - int64(left)) >> 32
				sums[row*stride+col] += float32(left) * (t.scales[row] * p.scales[col])
				sums[row*stride+col+1] += float32(right) * (t.scales[row] * p.scales[col+1])
			}
		}
	}
}
