package transformer_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/embedtest"
	"github.com/memory-tiered/memory/embed/transformer"
	"github.com/memory-tiered/memory/internal/must"
)

func TestConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("takes minutes without vector instructions, and more with the race detector")
	}
	embedtest.Run(t, func(*testing.T) embed.Embedder { return transformer.New() })
}

type reference struct {
	Text   string
	IDs    []int32
	Vector []float32
}

func references(t testing.TB) (list []reference, texts []string) {
	t.Helper()
	src, err := os.ReadFile("testdata/vectors.json")
	if err == nil {
		err = json.Unmarshal(src, &list)
	}
	if err != nil || len(list) < 20 {
		t.Fatal(len(list), err)
	}
	if testing.Short() {
		list = list[:4]
	}
	for _, r := range list {
		texts = append(texts, r.Text)
	}
	return list, texts
}

// TestVectorsMatchReference compares with vectors that onnxruntime computed: one by one,
// and all in one batch.
func TestVectorsMatchReference(t *testing.T) {
	want, texts := references(t)
	e := transformer.New()
	together := must.Get(e.Embed(t.Context(), embed.Passage, texts))(t)
	largest := 0.0
	for n, w := range want {
		if ids := transformer.Tokens(w.Text); !slices.Equal(ids, w.IDs) {
			t.Errorf("%.40q: tokens %v, want %v", w.Text, ids, w.IDs)
		}
		if strings.TrimSpace(w.Text) == "" {
			continue // the model has a vector for a blank text; Embed returns the zero vector
		}
		alone := must.Get(e.Embed(t.Context(), embed.Passage, []string{w.Text}))(t)
		for i, x := range w.Vector {
			largest = max(largest, math.Abs(float64(alone[0][i]-x)), math.Abs(float64(together[n][i]-x)))
		}
	}
	if t.Logf("largest difference: %.1e", largest); largest > 2e-5 {
		t.Errorf("a number is off by %.1e", largest)
	}
}

func TestLongTextKeepsItsBeginning(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long without vector instructions")
	}
	e := transformer.New()
	long := strings.Repeat("The heron stands in the pond. ", 100)
	vectors, err := e.Embed(t.Context(), embed.Passage, []string{long, long + "Deploys go out on Fridays."})
	if err != nil || embed.Check(vectors, 2, transformer.Dim) != nil || !slices.Equal(vectors[0], vectors[1]) {
		t.Errorf("%v: the vectors of a long text differ, or are none", err)
	}
}

func TestCancelledBatchEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := transformer.New().Embed(ctx, embed.Passage, []string{"a text"}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func BenchmarkQuestion(b *testing.B) {
	benchmark(b, "Which port does the collector of the staging cluster use?")
}

func BenchmarkNote(b *testing.B) {
	benchmark(b, strings.Repeat("The staging gateway listens on port 8081 and logs to the collector. ", 4))
}

func BenchmarkBatch(b *testing.B) {
	benchmark(b, slices.Repeat([]string{strings.Repeat("The staging gateway listens on port 8081 and logs to the collector. ", 2)}, 64)...)
}

func benchmark(b *testing.B, texts ...string) {
	e := transformer.New()
	for b.Loop() {
		must.Get(e.Embed(context.Background(), embed.Passage, texts))(b)
	}
}

func BenchmarkLoad(b *testing.B) {
	src := must.Get(os.ReadFile("all-minilm-l6-v2-e4l6.mlmq"))(b)
	for b.Loop() {
		transformer.Load(src)
	}
}
