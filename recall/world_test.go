package recall_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/recall"
)

var now = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// world is a source whose lanes answer what a test told them to.
type world struct {
	memories     []memory.Memory
	text, vector map[memory.ID]float64
	textErr      error
	vectorErr    error
	asked        []memory.Predicate
	query        memory.Query

	signals  []memory.Signals // what InContext says, in its order
	speakers []string
}

func (w *world) Search(_ context.Context, q memory.Query, p memory.Predicate, k int, nearest bool) (found memory.SearchResult, err error) {
	w.query = q
	if nearest {
		found.Nearest, found.VectorError = w.lane(w.vector, p, k), w.vectorErr
	}
	found.Signals = w.signals
	return found, w.textErr
}

func (w *world) Speakers(context.Context) ([]string, error) { return w.speakers, nil }

func (w *world) SearchText(_ context.Context, q memory.Query, p memory.Predicate, k int) ([]memory.Candidate, error) {
	w.query = q
	return w.lane(w.text, p, k), w.textErr
}

func (w *world) SearchVector(_ context.Context, q memory.Query, p memory.Predicate, k int) ([]memory.Candidate, error) {
	return w.lane(w.vector, p, k), w.vectorErr
}

func (w *world) lane(scores map[memory.ID]float64, p memory.Predicate, k int) []memory.Candidate {
	var found []memory.Candidate
	for _, m := range w.memories {
		if s, ok := scores[m.ID]; ok && lets(p, m) {
			found = append(found, memory.Candidate{ID: m.ID, Raw: s, Score: s})
		}
	}
	slices.SortFunc(found, func(a, b memory.Candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return found[:min(k, len(found))]
}

func (w *world) Visible(_ context.Context, ids []memory.ID, p memory.Predicate) ([]memory.Memory, error) {
	w.asked = append(w.asked, p)
	var out []memory.Memory
	for _, m := range w.memories {
		if slices.Contains(ids, m.ID) && lets(p, m) {
			out = append(out, m)
		}
	}
	return out, nil
}

func lets(p memory.Predicate, m memory.Memory) bool {
	forgotten := p.Forgotten == memory.Include || m.Forgotten == (p.Forgotten == memory.Only)
	return forgotten && (p.Archive || m.Tier != memory.TierArchive) && m.Scope.Matches(p.Scope) &&
		(p.AsOf.IsZero() || !m.CreatedAt.After(p.AsOf))
}

// add puts a memory into the world that both lanes find equally well.
func (w *world) add(id string, similarity float64, text string, change ...func(*memory.Memory)) memory.Memory {
	m := memory.Memory{ID: memory.ID(id), Text: text, Tier: memory.TierWarm, Type: memory.TypeFactual,
		Category: memory.CategoryFact, Importance: 0.7, Trust: memory.TrustTrusted,
		Path: "memory/topics/a.md", CreatedAt: now}
	for _, f := range change {
		f(&m)
	}
	if w.text == nil {
		w.text, w.vector = map[memory.ID]float64{}, map[memory.ID]float64{}
	}
	w.memories = append(w.memories, m)
	w.text[m.ID], w.vector[m.ID] = similarity, similarity
	return m
}

func tier(t memory.Tier) func(*memory.Memory)       { return func(m *memory.Memory) { m.Tier = t } }
func signalIndex(path string) func(*memory.Memory)  { return func(m *memory.Memory) { m.Path = path } }
func created(t time.Time) func(*memory.Memory)      { return func(m *memory.Memory) { m.CreatedAt = t } }
func heading(h ...string) func(*memory.Memory)      { return func(m *memory.Memory) { m.Heading = h } }
func scope(s memory.Scope) func(*memory.Memory)     { return func(m *memory.Memory) { m.Scope = s } }
func trust(t memory.TrustTier) func(*memory.Memory) { return func(m *memory.Memory) { m.Trust = t } }
func label(l memory.ImportanceLabel) func(*memory.Memory) {
	return func(m *memory.Memory) { m.ImportanceLabel = l }
}
func categoryOrOther(c memory.Category) func(*memory.Memory) {
	return func(m *memory.Memory) { m.Category = c }
}
func pinned(m *memory.Memory)    { m.Pinned = true }
func forgotten(m *memory.Memory) { m.Forgotten = true }

// oneVector is an embedder that knows one direction.
type oneVector struct {
	err  error
	zero bool
}

func (oneVector) Model() string { return "one" }
func (oneVector) Dim() int      { return 2 }
func (oneVector) Remote() bool  { return false }
func (e oneVector) Embed(_ context.Context, _ embed.Kind, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i := range out {
		out[i] = []float32{1, 0}
		if e.zero {
			out[i][0] = 0
		}
	}
	return out, e.err
}

// weighted are the settings under which a test can foretell similarities: those
// of both lanes, weighed.
func weighted() recall.Settings {
	s := recall.Defaults()
	s.Fusion = recall.FusionWeighted
	return s
}

func recaller(w *world, change ...func(*recall.Settings)) *recall.Recaller {
	s := weighted()
	for _, f := range change {
		f(&s)
	}
	return recall.New(w, oneVector{}, s)
}

func search(t *testing.T, r *recall.Recaller, a recall.SearchOptions) memory.SearchAnswer {
	t.Helper()
	answer, err := r.Search(t.Context(), now, a)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

func inject(t *testing.T, r *recall.Recaller, p recall.Prompt) (memory.RecallAnswer, recall.Trace) {
	t.Helper()
	answer, trace, err := r.Recall(t.Context(), now, p)
	if err != nil {
		t.Fatal(err)
	}
	return answer, trace
}

func ids(hits []memory.Hit) []memory.ID {
	out := []memory.ID{}
	for _, h := range hits {
		out = append(out, h.ID)
	}
	return out
}

func wantIDs(t *testing.T, hits []memory.Hit, want ...memory.ID) {
	t.Helper()
	if got := ids(hits); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func ptr[T any](v T) *T { return &v }

func id(format string, args ...any) memory.ID { return memory.ID(fmt.Sprintf(format, args...)) }
