package transformer_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/embed/transformer"
)

// TestReaderMatchesItsTrainer compares with what the trainer computed from the same weights.
func TestReaderMatchesItsTrainer(t *testing.T) {
	src, err := os.ReadFile("testdata/readings.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Question, Note string
		Odds           float64
	}
	if err := json.Unmarshal(src, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		odds, err := transformer.New().Read(t.Context(), c.Question, []string{c.Note, strings.Repeat("A long note. ", 40), c.Note})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(odds[0]-c.Odds) > 0.01 || math.Abs(odds[2]-c.Odds) > 0.01 {
			t.Errorf("%s | %s: %v, want %v", c.Question, c.Note, odds, c.Odds)
		}
		if !math.IsNaN(odds[1]) {
			t.Errorf("a note that is too long was read: %v", odds[1])
		}
	}
}

func TestReaderStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := transformer.New().Read(ctx, "When does the choir meet?", []string{"On Tuesdays"}); err == nil {
		t.Error("no error")
	}
}

func BenchmarkRead(b *testing.B) {
	notes := make([]string, 5)
	for i := range notes {
		notes[i] = "The choir meets on Tuesdays at 19:30 in the old school, and on Fridays before a concert"
	}
	for b.Loop() {
		if _, err := transformer.New().Read(b.Context(), "What time is the rehearsal of the choir this week?", notes); err != nil {
			b.Fatal(err)
		}
	}
}
