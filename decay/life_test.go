package decay_test

import (
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
)

func TestTierAt(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 11, n, 12, 0, 0, 0, time.UTC) }
	moved := decay.Life{From: day(1), Tier: memory.TierWarm, TierSince: day(9), Changes: []decay.Change{
		{day(4), memory.TierHot, memory.TierCold}, {day(9), memory.TierCold, memory.TierWarm}}}
	inBulk := decay.Life{From: day(1), Tier: memory.TierCold, TierSince: day(5)}
	promotedAfterBulk := decay.Life{From: day(1), Tier: memory.TierWarm, TierSince: day(8), Changes: []decay.Change{{day(8), memory.TierCold, memory.TierWarm}}}
	contradicting := decay.Life{From: day(1), Tier: memory.TierWarm, TierSince: day(9), Changes: []decay.Change{
		{day(4), memory.TierHot, memory.TierArchive}, {day(9), memory.TierCold, memory.TierWarm}}}
	gone := decay.Life{From: day(1), Until: day(6), Tier: memory.TierHot, TierSince: day(1)}
	for _, tt := range []struct {
		name      string
		life      decay.Life
		at        time.Time
		unaudited []time.Time
		tier      memory.Tier
		exists    bool
	}{
		{"before it was indexed", moved, day(1).Add(-time.Second), nil, "", false},
		{"at first", moved, day(1), nil, memory.TierHot, true},
		{"after the first move", moved, day(4), nil, memory.TierCold, true},
		{"between the moves", moved, day(6), nil, memory.TierCold, true},
		{"now", moved, day(20), nil, memory.TierWarm, true},
		{"moved in bulk, before", inBulk, day(3), []time.Time{day(5)}, "", true},
		{"moved in bulk, after", inBulk, day(5), []time.Time{day(5)}, memory.TierCold, true},
		{"before a bulk that may have moved it", promotedAfterBulk, day(3), []time.Time{day(5)}, "", true},
		{"after a bulk that may have moved it", promotedAfterBulk, day(6), []time.Time{day(5)}, memory.TierCold, true},
		{"between moves that do not fit", contradicting, day(6), nil, "", true},
		{"before moves that do not fit", contradicting, day(2), nil, memory.TierHot, true},
		{"while it was there", gone, day(5), nil, memory.TierHot, true},
		{"when it was gone", gone, day(6), nil, "", false},
	} {
		if tier, exists := tt.life.TierAt(tt.at, tt.unaudited); tier != tt.tier || exists != tt.exists {
			t.Errorf("%s: %q, %v, want %q, %v", tt.name, tier, exists, tt.tier, tt.exists)
		}
	}
}
