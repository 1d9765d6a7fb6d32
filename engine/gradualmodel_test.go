package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/recall"
)

// gradualModel is a model whose vectors are made in the background. Until then, the table
// near/table answers.
type gradualModel struct {
	saltedModel
	state *gradualState
}

// gradualState is what the test decides about a gradualModel.
type gradualState struct {
	mu                 sync.Mutex
	isChosen, replaced bool  // replaced: the configuration names the table
	failure            error // of the next batches
}

func (m gradualModel) Meanwhile() embed.Embedder {
	return saltedModel{name: "near/table", config: m.config}
}
func (m gradualModel) IsChosen() bool { return m.state.isChosen }

func (m gradualModel) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	m.state.mu.Lock()
	failure := m.state.failure
	m.state.mu.Unlock()
	if failure != nil {
		return nil, failure
	}
	return m.saltedModel.Embed(ctx, kind, texts)
}

func (s *gradualState) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

// gradualConfig is a configuration of a gradual model.
type gradualConfig struct {
	*modelConfig
	state *gradualState
}

func (c gradualConfig) Configured(context.Context) (embed.Embedder, error) {
	c.state.mu.Lock()
	defer c.state.mu.Unlock()
	if c.state.replaced {
		return saltedModel{name: "near/table", config: c.modelConfig}, nil
	}
	return gradualModel{saltedModel{name: "near/heavy", config: c.modelConfig}, c.state}, nil
}

// holder tells the engine whether work in the background waits.
type holder struct {
	mu     sync.Mutex
	reason string
}

func (h *holder) hold() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.reason
}

func (h *holder) set(reason string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.reason = reason
}

func openGradual(t *testing.T, c gradualConfig, hold func() string, dir, db string) *engine.Engine {
	t.Helper()
	e := must.Get(engine.Open(t.Context(), onBackend(t, engine.Options{
		Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: dir, DBPath: db, Zone: time.UTC}},
		Embedders:  c, Recall: recall.Defaults(), AutoRecall: true, ContextTTL: time.Hour, Hold: hold,
	})))(t)
	e.SetDaemonStatus(func() *memory.DaemonStatus { return &memory.DaemonStatus{} })
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func newGradualConfig() gradualConfig {
	return gradualConfig{&modelConfig{errs: map[string]error{}, embedded: map[string][]string{}}, &gradualState{}}
}

func indexAll(t *testing.T, e *engine.Engine) {
	t.Helper()
	must.Get(e.Index(t.Context(), memory.IndexRequest{}, nil))(t)
}

// changeAll continues the change to the end.
func changeAll(t *testing.T, e *engine.Engine) {
	t.Helper()
	for more := true; more; {
		var err error
		if more, err = e.ChangeModel(t.Context(), time.Hour, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// answeredBy searches by vectors, and returns which model embedded the question.
func answeredBy(t *testing.T, e *engine.Engine, c gradualConfig) string {
	t.Helper()
	count := func(name string) int {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.embedded[name])
	}
	table, heavy := count("near/table"), count("near/heavy")
	if err := checkVectorSearch(t.Context(), e); err != nil {
		t.Error(err)
	}
	switch {
	case count("near/heavy") > heavy:
		return "heavy"
	case count("near/table") > table:
		return "table"
	}
	return "none"
}

func addLine(t *testing.T, dir, line string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(dir, "MEMORY.md"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = fmt.Fprintln(f, line)
	must.Do(t, errors.Join(err, f.Close()))
}

func TestTableServesUntilTheGradualModelHasAllVectors(t *testing.T) {
	c, h, dir := newGradualConfig(), &holder{reason: "the service has just started"}, manyMemories(t)
	db := filepath.Join(t.TempDir(), "tiered.db")
	e := openGradual(t, c, h.hold, dir, db)
	indexAll(t, e)
	if more, err := e.ChangeModel(t.Context(), 0, nil); more || err != nil {
		t.Fatal(more, err)
	}
	at := embeddingStats(t, e)
	if at.Model != "near/table" || at.Pending != 0 || at.Next == nil || at.Next.Model != "near/heavy" || at.Next.Done != 0 || at.Next.Waiting != "the service has just started" {
		t.Fatalf("while it waits: %+v, next %+v", at, at.Next)
	}
	if by := answeredBy(t, e, c); by != "table" {
		t.Errorf("while it waits: answered by %s", by)
	}

	h.set("")
	if more, err := e.ChangeModel(t.Context(), time.Nanosecond, nil); !more || err != nil {
		t.Fatal(more, err)
	}
	if at := embeddingStats(t, e); at.Next == nil || at.Next.Done == 0 || at.Next.Done >= at.Next.Total || at.Next.Waiting != "" {
		t.Errorf("after a batch: %+v, next %+v", at, at.Next)
	}
	addLine(t, dir, "- kingfisher at bridge")
	indexAll(t, e)
	before := len(c.embedded["near/heavy"])
	e2 := openGradual(t, c, h.hold, dir, db+"2") // another workspace does not disturb it
	indexAll(t, e2)
	changeAll(t, e)
	if at := embeddingStats(t, e); at.Model != "near/heavy" || at.Next != nil {
		t.Errorf("after the change: %+v, next %+v", at, at.Next)
	}
	if by := answeredBy(t, e, c); by != "heavy" {
		t.Errorf("after the change: answered by %s", by)
	}
	if n := len(c.embedded["near/heavy"]) - before; n > 303 {
		t.Errorf("%d texts were embedded after the first batch", n)
	}
}

func TestTableAnswersWhileTheModelLacksManyVectors(t *testing.T) {
	c, h, dir := newGradualConfig(), &holder{}, manyMemories(t)
	e := openGradual(t, c, h.hold, dir, filepath.Join(t.TempDir(), "tiered.db"))
	indexAll(t, e)
	changeAll(t, e)

	// A new text is found at once by the table, which answers until the model has its
	// vector. Then the model embeds a few texts all the same.
	h.set("the service has just started")
	addLine(t, dir, "- kingfisher at bridge")
	indexAll(t, e)
	answer, err := e.Search(t.Context(), memory.SearchRequest{Query: "kingfisher", Lane: memory.LaneVector})
	if err != nil || len(answer.Hits) == 0 || !strings.Contains(answer.Hits[0].Text, "kingfisher") {
		t.Errorf("a new text: %+v, %v", answer, err)
	}
	if at := embeddingStats(t, e); at.Model != "near/table" || at.Pending != 0 || at.Next == nil || at.Next.Total-at.Next.Done != 1 {
		t.Errorf("with a new text: %+v, next %+v", at, at.Next)
	}
	changeAll(t, e)
	if by := answeredBy(t, e, c); by != "heavy" {
		t.Errorf("after the new text: answered by %s", by)
	}
}

// The model fails: its change stops, and the table answers. It continues when the cause is
// gone.
func TestTableAnswersWhenTheModelFails(t *testing.T) {
	c, h := newGradualConfig(), &holder{}
	e := openGradual(t, c, h.hold, manyMemories(t), filepath.Join(t.TempDir(), "tiered.db"))
	indexAll(t, e)
	cause := errors.New("the weights are damaged")
	c.state.set(func() { c.state.failure = cause })
	if _, err := e.ChangeModel(t.Context(), 0, nil); !errors.Is(err, cause) {
		t.Fatalf("the failing model: %v", err)
	}
	if at := embeddingStats(t, e); at.Next == nil || !strings.Contains(at.Next.Error, cause.Error()) {
		t.Errorf("while the change fails: %+v, next %+v", at, at.Next)
	}
	if by := answeredBy(t, e, c); by != "table" {
		t.Errorf("while the change fails: answered by %s", by)
	}
	c.state.set(func() { c.state.failure = nil })
	changeAll(t, e)
	if by := answeredBy(t, e, c); by != "heavy" {
		t.Errorf("after the cause is gone: answered by %s", by)
	}
}

// A few texts get the vectors of the model at once, also in a command, and while it waits.
func TestSmallWorkspaceWaitsForNothing(t *testing.T) {
	c := newGradualConfig()
	w := &world{t: t, dir: t.TempDir()}
	w.write("MEMORY.md", "- heron at pond\n- kingfisher at bridge\n")
	e := openGradual(t, c, nil, w.dir, filepath.Join(t.TempDir(), "tiered.db"))
	indexAll(t, e)
	changeAll(t, e)
	if at := embeddingStats(t, e); at.Model != "near/heavy" || at.Next != nil {
		t.Errorf("after the change: %+v, next %+v", at, at.Next)
	}
}

// Index with Force drops the table of the next model. The change begins again, and ends.
func TestForcedIndexDuringAChangeOfModelEnds(t *testing.T) {
	c := newGradualConfig()
	w := &world{t: t, dir: t.TempDir()}
	w.write("MEMORY.md", "- heron at pond\n- kingfisher at bridge\n")
	db := filepath.Join(t.TempDir(), "tiered.db")
	c.configure("near/table")
	e := openModels(t, c.modelConfig, w.dir, db)
	indexAll(t, e)
	must.Do(t, e.Close())
	e = openGradual(t, c, nil, w.dir, db)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	e.SetDaemonStatus(nil)
	must.Get(e.Index(ctx, memory.IndexRequest{Force: true}, nil))(t)
	changeAll(t, e)
	if at := embeddingStats(t, e); at.Model != "near/heavy" || at.Next != nil {
		t.Errorf("after the change: %+v, next %+v", at, at.Next)
	}
}

// With the quality best, a command makes all vectors. The change back to a fast model
// keeps no vectors beside it.
func TestCommandsMakeTheVectorsOfAChosenModel(t *testing.T) {
	c, dir, db := newGradualConfig(), manyMemories(t), filepath.Join(t.TempDir(), "tiered.db")
	c.state.isChosen = true
	e := openGradual(t, c, nil, dir, db)
	indexAll(t, e)
	changeAll(t, e)
	if by := answeredBy(t, e, c); by != "heavy" {
		t.Errorf("best: answered by %s", by)
	}
	must.Do(t, e.Close())
	c.configure("near/table")
	e = openModels(t, c.modelConfig, dir, db)
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	changeAll(t, e)
	if at := embeddingStats(t, e); at.Model != "near/table" || at.Next != nil {
		t.Errorf("fast again: %+v, next %+v", at, at.Next)
	}
	if by := answeredBy(t, e, c); by != "table" {
		t.Errorf("fast again: answered by %s", by)
	}
}

// A person who asks for the model sees which texts still lack its vectors.
func TestTextsArePendingUntilTheChosenModelHasThem(t *testing.T) {
	c := newGradualConfig()
	c.state.isChosen = true
	cause := errors.New("the weights are damaged")
	c.state.set(func() { c.state.failure = cause })
	e := openGradual(t, c, nil, manyMemories(t), filepath.Join(t.TempDir(), "tiered.db"))
	indexAll(t, e)
	if _, err := e.ChangeModel(t.Context(), 0, nil); !errors.Is(err, cause) {
		t.Fatalf("the failing model: %v", err)
	}
	indexed, err := e.Index(t.Context(), memory.IndexRequest{}, nil)
	if err != nil || indexed.Pending == 0 || !strings.Contains(indexed.PendingReason, "damaged") {
		t.Errorf("%d are pending because %q, %v", indexed.Pending, indexed.PendingReason, err)
	}
	if at := embeddingStats(t, e); at.Pending != indexed.Pending || at.Next == nil || at.Next.Total-at.Next.Done != at.Pending {
		t.Errorf("while the change fails: %+v, next %+v", at, at.Next)
	}
	c.state.set(func() { c.state.failure = nil })
	changeAll(t, e)
	if at := embeddingStats(t, e); at.Pending != 0 || at.Next != nil {
		t.Errorf("after the change: %+v, next %+v", at, at.Next)
	}
}

// A model that a person chooses does not wait, whatever it waited for before.
func TestChosenModelWaitsForNothing(t *testing.T) {
	c := newGradualConfig()
	e := openGradual(t, c, func() string { return "the machine is busy" }, manyMemories(t), filepath.Join(t.TempDir(), "tiered.db"))
	indexAll(t, e)
	changeAll(t, e)
	if at := embeddingStats(t, e); at.Next == nil || at.Next.Waiting != "the machine is busy" {
		t.Fatalf("auto on a busy machine: %+v, next %+v", at, at.Next)
	}
	c.state.set(func() { c.state.isChosen = true })
	must.Do(t, e.RefreshEmbedder(t.Context()))
	changeAll(t, e)
	if at := embeddingStats(t, e); at.Model != "near/heavy" || at.Next != nil {
		t.Errorf("best on a busy machine: %+v, next %+v", at, at.Next)
	}
	c.state.set(func() { c.state.replaced = true })
	must.Do(t, e.RefreshEmbedder(t.Context()))
	changeAll(t, e)
	if at := embeddingStats(t, e); at.Model != "near/table" {
		t.Fatalf("fast again: %+v", at)
	}
}
