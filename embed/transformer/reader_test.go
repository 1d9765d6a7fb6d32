package transformer_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/embed/transformer"
	"github.com/memory-tiered/memory/internal/must"
)

// TestReadMatchesReference compares with numbers that PyTorch computed from the packed
// weights: one by one, and notes of one question together.
func TestReadMatchesReference(t *testing.T) {
	src, err := os.ReadFile("testdata/pairs.json")
	var want []struct {
		Question, Note string
		IDs            []int32
		Odds           float64
	}
	if err == nil {
		err = json.Unmarshal(src, &want)
	}
	if err != nil || len(want) < 6 {
		t.Fatal(len(want), err)
	}
	if testing.Short() {
		want = want[:2]
	}
	e := transformer.New()
	for _, w := range want {
		if ids := transformer.Pair(w.Question, w.Note); !slices.Equal(ids, w.IDs) {
			t.Errorf("%.40q: tokens %v, want %v", w.Question, ids, w.IDs)
		}
		odds := must.Get(e.Read(t.Context(), w.Question, []string{w.Note, want[0].Note}))(t)
		if math.Abs(odds[0]-w.Odds) > 0.01 {
			t.Errorf("%.40q: odds %.4f, want %.4f", w.Question, odds[0], w.Odds)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	note := strings.Repeat("The staging gateway listens on port 8081 and logs to the collector. ", 2)
	e := transformer.New()
	for b.Loop() {
		must.Get(e.Read(context.Background(), "Which port does the collector of the staging cluster use?", slices.Repeat([]string{note}, 5)))(b)
	}
}
