package decay_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/decay"
)

var now = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

func daysAgo(n int) *time.Time {
	at := now.AddDate(0, 0, -n)
	return &at
}

func TestEffectiveAgeCountsFromTheLastChangeOrUse(t *testing.T) {
	for _, tt := range []struct {
		name string
		m    memory.Memory
		want int // days
	}{
		{"created", memory.Memory{CreatedAt: *daysAgo(30)}, 30},
		{"edited later", memory.Memory{CreatedAt: *daysAgo(30), EditedAt: daysAgo(20)}, 20},
		{"used later", memory.Memory{CreatedAt: *daysAgo(30), EditedAt: daysAgo(20), LastAccessedAt: daysAgo(10)}, 10},
		{"edited after the last use", memory.Memory{CreatedAt: *daysAgo(30), EditedAt: daysAgo(5), LastAccessedAt: daysAgo(10)}, 5},
		{"created in the future", memory.Memory{CreatedAt: *daysAgo(-30)}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := decay.EffectiveAge(&tt.m, now); got != time.Duration(tt.want)*24*time.Hour {
				t.Errorf("got %v, want %d days", got, tt.want)
			}
		})
	}
}

func TestHalfLifeFollowsTheType(t *testing.T) {
	for _, tt := range []struct {
		name string
		m    memory.Memory
		want float64
	}{
		{"procedural", memory.Memory{Type: memory.TypeProcedural}, 180},
		{"factual", memory.Memory{Type: memory.TypeFactual}, 90},
		{"project", memory.Memory{Type: memory.TypeProject}, 45},
		{"episodic", memory.Memory{Type: memory.TypeEpisodic}, 10},
		{"no type", memory.Memory{}, 90},
		{"pinned", memory.Memory{Type: memory.TypeEpisodic, Pinned: true}, math.Inf(1)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := decay.Defaults().Days(&tt.m); got != tt.want {
				t.Errorf("got %v days, want %v", got, tt.want)
			}
		})
	}
}

func TestRecencyFallsWithTheAgeAndTheTier(t *testing.T) {
	for _, tt := range []struct {
		name string
		m    memory.Memory
		want float64
	}{
		{"new", memory.Memory{CreatedAt: now}, 1},
		{"one half-life old", memory.Memory{CreatedAt: *daysAgo(90)}, 1 / math.E},
		{"pinned and old", memory.Memory{CreatedAt: *daysAgo(9999), Pinned: true}, 1},
		{"COLD", memory.Memory{CreatedAt: *daysAgo(90), Tier: memory.TierCold}, 0.5 / math.E},
		{"ARCHIVE", memory.Memory{CreatedAt: now, Tier: memory.TierArchive}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := decay.Recency(&tt.m, now, decay.Defaults()); math.Abs(got-tt.want) > 1e-9 {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func ExampleRecency() {
	m := memory.Memory{Type: memory.TypeEpisodic, CreatedAt: now.AddDate(0, 0, -5)}
	fmt.Printf("%.2f\n", decay.Recency(&m, now, decay.Defaults()))
	// Output: 0.61
}
