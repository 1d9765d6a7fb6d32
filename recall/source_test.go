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

// fakeSource is a source whose lanes return the scores that a test sets.
type fakeSource struct {
	memories     []memory.Memory
	text, vector map[memory.ID]float64
	textErr      error
	vectorErr    error
	predicates   []memory.Predicate // of the calls of AppendVisible
	query        memory.Query       // of the last search

	signals  []memory.Signals // what Search returns, in this order
	speakers []string
	triggers map[memory.ID][]string
	feedback []memory.Feedback

	prefixReads int // calls of IDPrefixes
}

func (src *fakeSource) Search(_ context.Context, q memory.Query, p memory.Predicate, k int, nearest bool) (found memory.SearchResult, err error) {
	src.query = q
	if nearest {
		found.Nearest, found.VectorError = src.lane(src.vector, p, k), src.vectorErr
	}
	if found.Signals = src.signals; len(src.signals) == 0 && len(q.Terms) > 0 {
		for _, c := range src.lane(src.text, p, k) {
			found.Signals = append(found.Signals, memory.Signals{Candidate: c})
		}
	}
	if len(q.Terms) == 0 {
		return found, nil
	}
	return found, src.textErr
}

func (src *fakeSource) List(_ context.Context, p memory.Predicate, _ string, limit, _ int) (page []memory.Memory, total int, err error) {
	for _, m := range src.memories {
		if accepts(p, m) && !m.CreatedAt.Before(p.Since) && (p.Until.IsZero() || m.CreatedAt.Before(p.Until)) {
			page = append(page, m)
		}
	}
	slices.SortStableFunc(page, func(a, b memory.Memory) int { return b.CreatedAt.Compare(a.CreatedAt) }) // as created_at does
	return page[:min(limit, len(page))], len(page), nil
}

func (src *fakeSource) IDPrefixes(_ context.Context, ids []memory.ID, _ memory.View) (map[memory.ID]string, error) {
	src.prefixReads++
	prefixes := map[memory.ID]string{}
	for _, id := range ids {
		prefixes[id] = string(id)
	}
	return prefixes, nil
}

func (src *fakeSource) Speakers(context.Context, memory.Predicate) ([]string, error) {
	return src.speakers, nil
}

func (src *fakeSource) Triggers(context.Context, memory.Predicate) (map[memory.ID][]string, error) {
	return src.triggers, nil
}

func (src *fakeSource) Feedback(context.Context) ([]memory.Feedback, error) { return src.feedback, nil }

func (src *fakeSource) lane(scores map[memory.ID]float64, p memory.Predicate, k int) []memory.Candidate {
	var found []memory.Candidate
	for _, m := range src.memories {
		if s, ok := scores[m.ID]; ok && accepts(p, m) {
			found = append(found, memory.Candidate{ID: m.ID, Raw: s, Score: s})
		}
	}
	slices.SortFunc(found, func(a, b memory.Candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return found[:min(k, len(found))]
}

func (src *fakeSource) AppendVisible(_ context.Context, to []memory.Memory, ids []memory.ID, p memory.Predicate) ([]memory.Memory, error) {
	src.predicates = append(src.predicates, p)
	for _, m := range src.memories {
		if slices.Contains(ids, m.ID) && accepts(p, m) {
			to = append(to, m)
		}
	}
	return to, nil
}

// accepts implements the filters that the tests need.
func accepts(p memory.Predicate, m memory.Memory) bool {
	forgotten := p.Forgotten == memory.Include || m.Forgotten == (p.Forgotten == memory.Only)
	return forgotten && (p.Archive || m.Tier != memory.TierArchive) && m.Scope.Matches(p.Scope) &&
		(p.AsOf.IsZero() || !m.CreatedAt.After(p.AsOf))
}

// add adds a memory to which both lanes give the same score.
func (src *fakeSource) add(id string, similarity float64, text string, change ...func(*memory.Memory)) memory.Memory {
	m := memory.Memory{ID: memory.ID(id), Text: text, Tier: memory.TierWarm, Type: memory.TypeFactual,
		Category: memory.CategoryFact, Importance: 0.7, Trust: memory.TrustTrusted,
		Path: "memory/topics/a.md", CreatedAt: now}
	for _, f := range change {
		f(&m)
	}
	if src.text == nil {
		src.text, src.vector = map[memory.ID]float64{}, map[memory.ID]float64{}
	}
	src.memories = append(src.memories, m)
	src.text[m.ID], src.vector[m.ID] = similarity, similarity
	return m
}

func tier(t memory.Tier) func(*memory.Memory)       { return func(m *memory.Memory) { m.Tier = t } }
func inFile(path string) func(*memory.Memory)       { return func(m *memory.Memory) { m.Path = path } }
func created(t time.Time) func(*memory.Memory)      { return func(m *memory.Memory) { m.CreatedAt = t } }
func heading(h ...string) func(*memory.Memory)      { return func(m *memory.Memory) { m.Heading = h } }
func scope(s memory.Scope) func(*memory.Memory)     { return func(m *memory.Memory) { m.Scope = s } }
func trust(t memory.TrustTier) func(*memory.Memory) { return func(m *memory.Memory) { m.Trust = t } }
func label(l memory.ImportanceLabel) func(*memory.Memory) {
	return func(m *memory.Memory) { m.ImportanceLabel = l }
}
func category(c memory.Category) func(*memory.Memory) {
	return func(m *memory.Memory) { m.Category = c }
}
func pinned(m *memory.Memory)    { m.Pinned = true }
func forgotten(m *memory.Memory) { m.Forgotten = true }

// fixedEmbedder returns the same vector for every text.
type fixedEmbedder struct {
	err  error
	zero bool
}

func (fixedEmbedder) Model() string { return "one" }
func (fixedEmbedder) Dim() int      { return 2 }
func (fixedEmbedder) Remote() bool  { return false }
func (e fixedEmbedder) Embed(_ context.Context, _ embed.Kind, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i := range out {
		out[i] = []float32{1, 0}
		if e.zero {
			out[i][0] = 0
		}
	}
	return out, e.err
}

// weightedSettings returns settings with which a test can predict similarities: the
// weighted sum of both lanes.
func weightedSettings() recall.Settings {
	s := recall.Defaults()
	s.Fusion = recall.FusionWeighted
	return s
}

// newRecaller returns a Recaller with weightedSettings and changes to them.
func newRecaller(src *fakeSource, change ...func(*recall.Settings)) *recall.Recaller {
	s := weightedSettings()
	for _, f := range change {
		f(&s)
	}
	return recall.New(src, fixedEmbedder{}, s)
}

func mustSearch(t *testing.T, r *recall.Recaller, o recall.SearchOptions) memory.SearchAnswer {
	t.Helper()
	answer, err := r.Search(t.Context(), now, o)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

func mustRecall(t *testing.T, r *recall.Recaller, p recall.Prompt) (memory.RecallAnswer, recall.Trace) {
	t.Helper()
	p.Traced = true
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

func idf(format string, args ...any) memory.ID { return memory.ID(fmt.Sprintf(format, args...)) }
