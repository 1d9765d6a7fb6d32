package static_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/embedtest"
	"github.com/memory-tiered/memory/embed/static"
	"github.com/memory-tiered/memory/internal/must"
)

func open(t testing.TB) *static.Embedder {
	t.Helper()
	e := static.New()
	return e
}

func vector(t testing.TB, e embed.Embedder, text string) []float32 {
	t.Helper()
	vectors, err := e.Embed(t.Context(), embed.Passage, []string{text})
	if err == nil {
		err = embed.Check(vectors, 1, e.Dim())
	}
	if err != nil {
		t.Fatalf("embed %.40q: %v", text, err)
	}
	return vectors[0]
}

func TestConformance(t *testing.T) {
	embedtest.Run(t, func(t *testing.T) embed.Embedder { return open(t) })
}

// TestVectorsMatchReference compares with vectors that the model's makers computed in
// another language: tokens exactly, numbers to the printed precision.
func TestVectorsMatchReference(t *testing.T) {
	var want struct {
		Vectors []struct {
			Text   string
			IDs    []int32
			First8 []float64
		}
		Cosines []struct {
			A, B   string
			Cosine float64
		}
	}
	src, err := os.ReadFile("testdata/vectors.json")
	if err == nil {
		err = json.Unmarshal(src, &want)
	}
	if err != nil || len(want.Vectors) != 22 || len(want.Cosines) != 1 {
		t.Fatalf("testdata/vectors.json: %v, %d texts, %d cosines", err, len(want.Vectors), len(want.Cosines))
	}
	e := open(t)
	for _, w := range want.Vectors {
		if ids := e.Tokens(w.Text); !slices.Equal(ids, w.IDs) {
			t.Errorf("tokens of %q = %v, want %v", w.Text, ids, w.IDs)
		}
		v := vector(t, e, w.Text)
		for i, x := range w.First8 {
			if math.Abs(float64(v[i])-x) > 1e-5 {
				t.Errorf("number %d of %q = %v, want %v", i, w.Text, v[i], x)
			}
		}
	}
	for _, w := range want.Cosines {
		if got := cosine(vector(t, e, w.A), vector(t, e, w.B)); math.Abs(got-w.Cosine) > 1e-5 {
			t.Errorf("cosine of %q and %q = %v, want %v", w.A, w.B, got, w.Cosine)
		}
	}
}

func cosine(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func TestModelNameContainsTheDigest(t *testing.T) {
	src := must.Get(os.ReadFile("memvec-en-256.memvec"))(t)
	digest := fmt.Sprintf("%x", sha256.Sum256(src))
	if !strings.HasPrefix(digest, static.BuiltInDigest) || len(static.BuiltInDigest) != 12 {
		t.Errorf("modelDigest is %s, the digest of the file is %s", static.BuiltInDigest, digest)
	}
	e, read := open(t), static.Read(src)
	if want := "static/memvec-en-256@" + digest[:12]; e.Model() != want || read.Model() != want {
		t.Errorf("Model = %s, and %s when read from the file; want %s", e.Model(), read.Model(), want)
	}
	if e.Dim() != 256 || e.Remote() {
		t.Errorf("Dim = %d, Remote = %v; want 256 and false", e.Dim(), e.Remote())
	}
	if text := "The cat sleeps."; !slices.Equal(vector(t, e, text), vector(t, read, text)) {
		t.Error("the model in the binary and the same file give different vectors")
	}
}

func TestEmbedAllocatesOncePerText(t *testing.T) {
	e := open(t)
	texts := slices.Repeat([]string{"The cat sleeps on the kitchen chair, and café Zoë is “closed”."}, 100)
	perText := math.Inf(1) // the smallest of five: the count includes other goroutines, and buffers that a collection freed
	for range 5 {
		perText = min(perText, testing.AllocsPerRun(1, func() {
			if _, err := e.Embed(t.Context(), embed.Passage, texts); err != nil {
				t.Error(err)
			}
		})/float64(len(texts)))
	}
	if perText > 1.2 { // the vector, and a share of the batch's buffers
		t.Errorf("%.2f allocations per text", perText)
	}
}

func BenchmarkLoad(b *testing.B) {
	src := must.Get(os.ReadFile("memvec-en-256.memvec"))(b)
	b.ReportAllocs()
	for b.Loop() {
		static.Read(src)
	}
}

func BenchmarkEmbed(b *testing.B) {
	for name, text := range map[string]string{
		"question":   "When did we move the backups to the new server?",
		"accents":    "Wann haben wir die Sicherung für Zoë nach „Köln“ verlegt?",
		"1600 chars": strings.Repeat("The nightly backup of the database runs at two and is kept for 30 days. ", 23)[:1600],
		"1 MB":       strings.Repeat("The nightly backup of the database runs at two. ", 22000),
	} {
		b.Run(name, func(b *testing.B) {
			e := open(b)
			b.ReportAllocs()
			for b.Loop() {
				must.Get(e.Embed(b.Context(), embed.Query, []string{text}))(b)
			}
		})
	}
}
