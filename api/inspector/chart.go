package inspector

import (
	"fmt"
	"strings"
	"time"

	"github.com/memory-tiered/memory"
)

// The size of a chart in its own units.
const chartWidth, chartHeight = 600, 160

// newChart stacks the counts of each day, the hottest tier at the bottom.
func newChart(days []map[memory.Tier]int, from, until time.Time) chart {
	c := chart{From: from, Until: until, Most: 1}
	for _, counts := range days {
		sum := 0
		for _, n := range counts {
			sum += n
		}
		c.Most = max(c.Most, sum)
	}
	lower := make([]int, len(days))
	for _, t := range memory.Tiers {
		upper := make([]int, len(days))
		for d := range days {
			upper[d] = lower[d] + days[d][t]
		}
		c.Areas = append(c.Areas, area{t, polygon(lower, upper, c.Most)})
		lower = upper
	}
	return c
}

// polygon returns the points between two lines: along the upper one, and back along the lower
// one.
func polygon(lower, upper []int, most int) string {
	var points []string
	add := func(d, n int) {
		x := float64(d) * chartWidth / float64(len(upper)-1)
		y := chartHeight - float64(n)*chartHeight/float64(most)
		points = append(points, fmt.Sprintf("%.1f,%.1f", x, y))
	}
	for d, n := range upper {
		add(d, n)
	}
	for d := len(lower) - 1; d >= 0; d-- {
		add(d, lower[d])
	}
	return strings.Join(points, " ")
}
