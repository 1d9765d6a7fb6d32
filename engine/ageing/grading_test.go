package ageing_test

import (
	"slices"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/engine/ageing"
)

func TestGradesFollowTheStatedRules(t *testing.T) {
	fact := memory.Memory{Category: memory.CategoryFact, Type: memory.TypeFactual, Trust: memory.TrustTrusted}
	with := func(text string, change ...func(*memory.Memory)) memory.Memory {
		m := fact
		m.Text = text
		for _, f := range change {
			f(&m)
		}
		return m
	}
	tests := []struct {
		m     memory.Memory
		want  float64
		label memory.ImportanceLabel
	}{
		{with("The heron stands in the pond"), 0.5, memory.ImportanceUnknown},
		{with("Important: the gate must be closed at night"), 0.85, memory.ImportanceMustRemember},
		{with("Deploy only on Fridays"), 0.65, memory.ImportanceNiceToHave},
		{with("Niemals ohne Backup migrieren, das ist wichtig"), 0.85, memory.ImportanceMustRemember},
		{with("记住：数据库端口是 5433"), 0.75, memory.ImportanceNiceToHave},
		{with("The staging port is 8081"), 0.55, memory.ImportanceUnknown},
		{with("The call fails in getUserName"), 0.55, memory.ImportanceUnknown},
		{with("We use tabs in Go", func(m *memory.Memory) { m.Category = memory.CategoryPreference }), 0.6, memory.ImportanceUnknown},
		{with("The heron stands in the pond", func(m *memory.Memory) { m.Trust = memory.TrustUntrusted }), 0.35, memory.ImportanceUnknown},
		{with("The heron stands in the pond", func(m *memory.Memory) { m.Pinned = true }), 0.65, memory.ImportanceNiceToHave},
		{with("[x] call the plumber about the tap", func(m *memory.Memory) { m.Category = memory.CategoryTask }), 0.25, memory.ImportanceUnknown},
		{with("Who waters the plants in summer?"), 0.4, memory.ImportanceUnknown},
		{with("Rainy day"), 0.4, memory.ImportanceUnknown},
	}
	for _, tt := range tests {
		g, reasons := ageing.GradeOf(tt.m)
		if g.Importance == nil || *g.Importance != tt.want || g.Label != tt.label || (len(reasons) == 0) != (tt.want == 0.5) {
			t.Errorf("%q: %v %s %q, want %v %s", tt.m.Text, *g.Importance, g.Label, reasons, tt.want, tt.label)
		}
	}
}

func TestNoGradeHidesAMemory(t *testing.T) {
	worst := memory.Memory{Text: "~~no?~~", Category: memory.CategoryTask, Type: memory.TypeEpisodic, Trust: memory.TrustQuarantined}
	g, reasons := ageing.GradeOf(worst)
	if *g.Importance < 0 || *g.Importance > 0.2 || g.Label == memory.ImportanceIgnore || !slices.Contains(reasons, "is not trusted") {
		t.Errorf("%v %s %q", *g.Importance, g.Label, reasons)
	}
}
