package transformer

import (
	"math"
	"sync"
)

// The normal distribution is read from a table, between whose numbers it is taken as
// straight: off by 1e-7 at most. Beyond the bound, it is 0 or 1 for a float32.
const (
	normalBound = 6
	normalSteps = 512 // per unit
)

var normalTable = sync.OnceValue(func() *[2*normalBound*normalSteps + 2]float32 {
	var table [2*normalBound*normalSteps + 2]float32
	for i := range table {
		table[i] = float32(math.Erfc(-(float64(i)/normalSteps-normalBound)/math.Sqrt2) / 2)
	}
	return &table
})

// gelu multiplies each number with the share of a normal distribution below it.
func gelu(numbers []float32) {
	table := normalTable()
	for i, x := range numbers {
		switch {
		case x <= -normalBound:
			numbers[i] = 0
		case x < normalBound:
			at := (x + normalBound) * normalSteps
			low := int(at)
			numbers[i] = x * (table[low] + (at-float32(low))*(table[low+1]-table[low]))
		}
	}
}
