package ageing_test

import (
	"testing"
	"time"

	"github.com/memory-tiered/memory/engine/ageing"
)

func TestSlicesOfASweepFollowTheSpeedOfTheMachine(t *testing.T) {
	for _, tt := range []struct {
		name string
		size int
		took time.Duration
		want int
	}{
		{"a fast slice", 250, 20 * time.Millisecond, 500},
		{"never more than 500", 500, time.Millisecond, 500},
		{"as wished", 250, 70 * time.Millisecond, 250},
		{"a slow slice", 250, 200 * time.Millisecond, 125},
		{"never less than 25", 25, time.Second, 25},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := ageing.NextSlice(tt.size, tt.took); got != tt.want {
				t.Errorf("%d after %d in %s, want %d", got, tt.size, tt.took, tt.want)
			}
		})
	}
}
