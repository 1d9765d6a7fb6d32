package index_test

import (
	"context"
	"hash/fnv"
	"math"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/index"
)

const testModel, testDim = "words-32", 32

// embed is a bag of words: texts with words in common are near each other.
func embed(text string) []float32 {
	v := make([]float32, testDim)
	var sum float64
	for _, w := range strings.Fields(strings.ToLower(text)) {
		h := fnv.New64a()
		_, _ = h.Write([]byte(w))
		x := h.Sum64()
		for i := range v {
			v[i] += float32(int64(x>>(i%32)&7)-3) / 4
		}
	}
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum > 0 {
		for i := range v {
			v[i] /= float32(math.Sqrt(sum))
		}
	}
	return v
}

func embedAll(t testing.TB, db *index.DB) {
	t.Helper()
	if err := db.SetModel(t.Context(), testModel, testDim); err != nil {
		t.Fatal(err)
	}
	embedPending(t, db)
}

func embedPending(t testing.TB, db *index.DB) (texts int) {
	t.Helper()
	for {
		pending, err := db.Pending(t.Context(), testModel, 100)
		if err != nil {
			t.Fatal(err)
		}
		if len(pending) == 0 {
			return texts
		}
		vectors := map[memory.Fingerprint][]float32{}
		for _, p := range pending {
			vectors[p.Fingerprint] = embed(p.Text)
		}
		texts += len(vectors)
		if err := db.PutVectors(context.Background(), testModel, vectors); err != nil {
			t.Fatal(err)
		}
	}
}

func nearest(t testing.TB, db *index.DB, text string, p memory.Predicate) []string {
	t.Helper()
	found, err := db.Vector(t.Context(), memory.Query{Vec: embed(text)}, p, 10)
	if err != nil {
		t.Fatal(err)
	}
	return texts(t, db, found, p)
}
