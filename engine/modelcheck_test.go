package engine_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/static"
	"github.com/memory-tiered/memory/embed/transformer"
	"github.com/memory-tiered/memory/engine/embedding"
	"github.com/memory-tiered/memory/internal/must"
)

// unreliable is a model that a test breaks and repairs.
type unreliable struct {
	embed.Embedder
	change func(vectors [][]float32) ([][]float32, error) // nil: it works
}

func (u *unreliable) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	vectors, err := u.Embedder.Embed(ctx, kind, texts)
	if u.change != nil && err == nil {
		return u.change(vectors)
	}
	return vectors, err
}

// oneForAll gives every text the same vector.
func oneForAll(vectors [][]float32) ([][]float32, error) {
	for i := range vectors {
		vectors[i] = make([]float32, len(vectors[i]))
		vectors[i][0] = 1
	}
	return vectors, nil
}

// turned gives other vectors with the same distances, as a model that was trained again might.
func turned(vectors [][]float32) ([][]float32, error) {
	for i := range vectors {
		vectors[i] = slices.Concat(vectors[i][1:], vectors[i][:1])
	}
	return vectors, nil
}

func refusing([][]float32) ([][]float32, error) { return nil, errors.New("the server is down") }

func staticModel(t *testing.T) embed.Embedder {
	t.Helper()
	model := static.New()
	return model
}

func TestGoldenQuestionsTellAWorkingModel(t *testing.T) {
	working := []embed.Embedder{staticModel(t), &unreliable{staticModel(t), turned}}
	if !testing.Short() { // it takes half a minute under the race detector
		working = append(working, transformer.New())
	}
	synctest.Test(t, func(t *testing.T) { // on a busy machine, a model is slow
		for _, model := range working {
			if err := embedding.Golden(t.Context(), model); err != nil {
				t.Errorf("%s: %v", model.Model(), err)
			}
		}
	})
	for name, change := range map[string]func([][]float32) ([][]float32, error){"one vector": oneForAll, "an error": refusing} {
		if err := embedding.Golden(t.Context(), &unreliable{staticModel(t), change}); err == nil {
			t.Errorf("%s: the model passes", name)
		}
	}
}

// TestFailedCheckFallsBackToKeywordSearch breaks the model, and repairs it.
func TestFailedCheckFallsBackToKeywordSearch(t *testing.T) {
	model := &unreliable{Embedder: staticModel(t)}
	w := newWorldEmbedding(t, model, map[string]string{"MEMORY.md": threeMemories})
	lane := func() string {
		t.Helper()
		answer, err := w.Search(t.Context(), memory.SearchRequest{Query: heron})
		if err != nil || len(answer.Hits) == 0 {
			t.Fatalf("%d hits, %v", len(answer.Hits), err)
		}
		return answer.Lanes[memory.LaneVector]
	}
	check := func(want string) {
		t.Helper()
		changed, err := w.CheckModels(t.Context())
		if err != nil || !strings.Contains(strings.Join(changed, ";"), want) || want == "" && len(changed) > 0 {
			t.Errorf("%q, %v; want %q", changed, err, want)
		}
	}
	if check(""); lane() != "ok" {
		t.Fatal(lane())
	}
	model.change = refusing
	for range 30 { // questions that fail make the next check due
		if got := lane(); !strings.Contains(got, "the server is down") {
			t.Fatal(got)
		}
	}
	check("keyword search answers alone")
	model.change = nil
	if got := lane(); !strings.Contains(got, "keyword search answers alone") {
		t.Errorf("after the check, the model is asked still: %q", got)
	}
	stats, err := w.Stats(t.Context(), memory.StatsRequest{})
	if err != nil || !strings.Contains(stats.Embedding.Error, "keyword search answers alone") {
		t.Errorf("stats: %+v, %v", stats.Embedding, err)
	}
	if check("answers again"); lane() != "ok" {
		t.Error(lane())
	}
	check("")
}

func TestSlowModelFailsTheGoldenQuestions(t *testing.T) {
	base := staticModel(t)
	synctest.Test(t, func(t *testing.T) {
		slow := &unreliable{base, func(vectors [][]float32) ([][]float32, error) {
			time.Sleep(550 * time.Millisecond)
			return vectors, nil
		}}
		if err := embedding.Golden(t.Context(), slow); err == nil || !strings.Contains(err.Error(), "550 ms") {
			t.Error(err)
		}
	})
}

func TestDoctorFindsAndMendsADriftedModel(t *testing.T) {
	model := &unreliable{Embedder: staticModel(t)}
	w := newWorldEmbedding(t, model, map[string]string{"MEMORY.md": threeMemories})
	find := func(fix bool) (found []memory.Finding) {
		t.Helper()
		a := must.Get(w.Doctor(t.Context(), memory.DoctorRequest{Fix: fix}, nil))(t)
		return slices.DeleteFunc(a.Findings, func(f memory.Finding) bool { return f.Check != "embedding" })
	}
	if found := find(false); len(found) > 0 {
		t.Fatalf("of a model that works: %+v", found)
	}
	model.change = turned
	if found := find(false); len(found) != 1 || !strings.Contains(found[0].Message, "gives other vectors than before for 3 of 3 texts") {
		t.Fatalf("%+v", found)
	}
	if found := find(true); len(found) != 1 || !found[0].Fixed {
		t.Errorf("not mended: %+v", found)
	}
	if found := find(false); len(found) > 0 {
		t.Errorf("after it was mended: %+v", found)
	}
}

// TestDriftedModelEmbedsAllTextsAnew replaces the model under its old name.
func TestDriftedModelEmbedsAllTextsAnew(t *testing.T) {
	model := &unreliable{Embedder: staticModel(t)}
	w := newWorldEmbedding(t, model, map[string]string{"MEMORY.md": threeMemories})
	model.change = turned
	changed, err := w.CheckModels(t.Context())
	if err != nil || len(changed) != 1 || !strings.Contains(changed[0], "all texts are embedded anew") {
		t.Fatalf("%q, %v", changed, err)
	}
	stats, err := w.Stats(t.Context(), memory.StatsRequest{})
	if err != nil || stats.Embedding.Pending != 3 {
		t.Errorf("%d texts are pending, %v", stats.Embedding.Pending, err)
	}
	must.Do(t, w.EmbedPending(t.Context()))
	answer, err := w.Search(t.Context(), memory.SearchRequest{Query: heron})
	if err != nil || answer.Hits[0].Text != heron || answer.Hits[0].VectorScore < 0.9 {
		t.Errorf("%+v, %v", answer.Hits, err)
	}
}
