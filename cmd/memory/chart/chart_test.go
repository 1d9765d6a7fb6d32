package chart_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/cmd/memory/chart"
)

func TestPlotShowsWhatIsUnknown(t *testing.T) {
	p := chart.Chart{Workspace: "a <b> & c", History: memory.TierHistory{Days: memory.List[memory.TierDay]{
		{Day: "2026-11-20", Unknown: 3, Tiers: map[memory.Tier]int{}}, {Day: "2026-11-21", Tiers: map[memory.Tier]int{memory.TierCold: 3}}}}}
	svg := p.SVG(p.Workspace)
	if strings.Count(svg, "<polyline ") != len(memory.Tiers)+1 || !strings.Contains(svg, "unknown") || !strings.Contains(svg, "a &lt;b&gt; &amp; c") {
		t.Error(svg)
	}
	var out bytes.Buffer
	if err := p.Draw(&out, 80, false); err != nil || !strings.Contains(out.String(), "unknown, 2026-11-20 to 2026-11-21") {
		t.Errorf("%v\n%s", err, out.String())
	}
}
