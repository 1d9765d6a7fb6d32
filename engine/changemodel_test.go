package engine_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/embedtest"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/recall"
)

// saltedModel is a model whose name salts its vectors: all models have one
// dimension, and vectors of two models are unrelated.
type saltedModel struct {
	embedtest.Words
	name   string
	config *modelConfig
}

func (s saltedModel) Model() string { return s.name }
func (s saltedModel) Remote() bool  { return strings.HasPrefix(s.name, "far/") }

func (s saltedModel) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	if err := s.config.errorOf(s.name); err != nil {
		return nil, err
	}
	own := make([]string, len(texts))
	for i, text := range texts {
		s.config.record(s.name, text)
		for word := range strings.FieldsSeq(strings.ToLower(text)) {
			own[i] += " " + s.name + strings.Trim(word, ".?")
		}
	}
	return s.Words.Embed(ctx, kind, own)
}

// modelConfig is a configuration that names a model, and can make models fail.
type modelConfig struct {
	mu         sync.Mutex
	configured string
	errs       map[string]error
	embedded   map[string][]string
}

func (w *modelConfig) configure(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.configured = name
}

func (w *modelConfig) setError(name string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.errs[name] = err
}

func (w *modelConfig) errorOf(name string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.errs[name]
}

func (w *modelConfig) record(name, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.embedded[name] = append(w.embedded[name], text)
}

func (w *modelConfig) Configured(context.Context) (embed.Embedder, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.errs["open "+w.configured]; err != nil {
		return nil, err
	}
	return saltedModel{name: w.configured, config: w}, nil
}

func (w *modelConfig) Previous(_ context.Context, model string) (embed.Embedder, error) {
	return saltedModel{name: model, config: w}, nil
}

func openModels(t *testing.T, w *modelConfig, dir, db string) *engine.Engine {
	t.Helper()
	e := must.Get(engine.Open(t.Context(), onBackend(t, engine.Options{
		Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: dir, DBPath: db, Zone: time.UTC}},
		Embedders:  w, Recall: recall.Defaults(), AutoRecall: true, ContextTTL: time.Hour,
	})))(t)
	e.SetDaemonStatus(func() *memory.DaemonStatus { return &memory.DaemonStatus{} })
	return e
}

// checkVectorSearch searches by vectors alone and expects the one memory that
// shares a word.
func checkVectorSearch(ctx context.Context, e *engine.Engine) error {
	answer, err := e.Search(ctx, memory.SearchRequest{Query: "heron", Lane: memory.LaneVector})
	switch {
	case err != nil:
		return err
	case answer.Lanes[memory.LaneVector] != "ok":
		return errors.New(answer.Lanes[memory.LaneVector])
	case len(answer.Hits) == 0 || !strings.Contains(answer.Hits[0].Text, "heron") || answer.Hits[0].VectorScore <= 0:
		return fmt.Errorf("vector search finds %+v", answer.Hits)
	}
	return nil
}

func embeddingStats(t *testing.T, e *engine.Engine) memory.EmbeddingStats {
	t.Helper()
	stats := must.Get(e.Stats(t.Context(), memory.StatsRequest{Workspace: "main"}))(t)
	return stats.Embedding
}

func manyMemories(t *testing.T) (dir string) {
	w := &world{t: t, dir: t.TempDir()}
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "- item%d of list%d stands at place%d\n", i, i%7, i%11)
	}
	w.write("MEMORY.md", b.String()+"- heron at pond\n")
	w.write("memory/private.md", "---\nprivate: true\n---\n- hidden thing\n")
	return w.dir
}

// Searches run without pause while the model changes. A failing provider and a
// restart interrupt the change, and it continues each time.
func TestVectorSearchAnswersThroughoutAModelChange(t *testing.T) {
	w := &modelConfig{configured: "near/a", errs: map[string]error{}, embedded: map[string][]string{}}
	dir, db := manyMemories(t), filepath.Join(t.TempDir(), "tiered.db")
	e := openModels(t, w, dir, db)
	must.Get(e.Index(t.Context(), memory.IndexRequest{}, nil))(t)
	must.Do(t, checkVectorSearch(t.Context(), e))

	w.configure("far/b")
	must.Do(t, e.RefreshEmbedder(t.Context()))
	if more, err := e.ChangeModel(t.Context(), time.Nanosecond, nil); err != nil || !more {
		t.Fatalf("after one batch: more is %v, %v", more, err)
	}
	at := embeddingStats(t, e)
	if at.Model != "near/a" || at.Next == nil || at.Next.Model != "far/b" || at.Next.Done == 0 || at.Next.Done >= at.Next.Total {
		t.Fatalf("after one batch: %+v, next %+v", at, at.Next)
	}
	must.Do(t, checkVectorSearch(t.Context(), e))

	// The provider fails: the previous model serves, and status reports the reason.
	w.setError("far/b", errors.New("429 for now"))
	if _, err := e.ChangeModel(t.Context(), 0, nil); err == nil {
		t.Fatal("the failing provider is not reported")
	}
	if at := embeddingStats(t, e); at.Next == nil || !strings.Contains(at.Next.Error, "429 for now") || at.Error != "" {
		t.Errorf("while the provider fails: %+v, next %+v", at, at.Next)
	}
	if err := checkVectorSearch(t.Context(), e); err != nil {
		t.Error(err)
	}

	// After a restart the change continues where it stopped.
	must.Do(t, e.Close())
	w.setError("far/b", nil)
	before := len(w.embedded["far/b"])
	e = openModels(t, w, dir, db)
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	must.Do(t, checkVectorSearch(t.Context(), e))
	ctx, stop := context.WithCancel(t.Context())
	var asking sync.WaitGroup
	errs := make(chan error, 4)
	for range cap(errs) {
		asking.Go(func() {
			for ctx.Err() == nil {
				if err := checkVectorSearch(context.WithoutCancel(ctx), e); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	for more := true; more; {
		var err error
		if more, err = e.ChangeModel(t.Context(), time.Millisecond, nil); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(20 * time.Millisecond) // lets some queries ask the new model
	stop()
	asking.Wait()
	close(errs)
	for err := range errs {
		t.Errorf("during the model change: %v", err)
	}
	if at := embeddingStats(t, e); at.Model != "far/b" || at.Next != nil || at.Pending != 0 || at.Error != "" {
		t.Errorf("after the change: %+v, next %+v", at, at.Next)
	}
	embedded := 0
	for _, text := range w.embedded["far/b"] {
		if strings.Contains(text, "hidden") {
			t.Errorf("a private text was sent to a remote model: %q", text)
		}
		if strings.Contains(text, "item") {
			embedded++
		}
	}
	if embedded != 300 || before == 0 {
		t.Errorf("both runs embedded %d of 300 texts, the first one %d", embedded, before)
	}

	// After a change back, every chunk is known, but for those that changed.
	w.configure("near/a")
	was := len(w.embedded["near/a"])
	must.Do(t, e.RefreshEmbedder(t.Context()))
	must.Get(e.ChangeModel(t.Context(), 0, nil))(t)
	if at := embeddingStats(t, e); at.Model != "near/a" || len(w.embedded["near/a"]) != was {
		t.Errorf("after the change back: %+v; %d texts were embedded again", at, len(w.embedded["near/a"])-was)
	}
	if err := checkVectorSearch(t.Context(), e); err != nil {
		t.Error(err)
	}
}

// Meanwhile keyword search answers alone, and the answer has the reason.
func TestUnavailableProviderIsReportedAndUsedOnceItAnswers(t *testing.T) {
	w := &modelConfig{configured: "near/a", errs: map[string]error{"open near/a": errors.New("nobody listens there")}, embedded: map[string][]string{}}
	e := openModels(t, w, manyMemories(t), filepath.Join(t.TempDir(), "tiered.db"))
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	must.Get(e.Index(t.Context(), memory.IndexRequest{}, nil))(t)
	answer, err := e.Search(t.Context(), memory.SearchRequest{Query: "heron"})
	if err != nil || len(answer.Hits) == 0 || !strings.Contains(answer.Lanes[memory.LaneVector], "nobody listens there") {
		t.Errorf("lanes %+v, %v", answer.Lanes, err)
	}
	if at := embeddingStats(t, e); !strings.Contains(at.Error, "nobody listens there") || at.Dim != 0 {
		t.Errorf("while the provider is unavailable: %+v", at)
	}
	if err := e.RefreshEmbedder(t.Context()); err == nil {
		t.Error("RefreshEmbedder does not report that the configured provider is unavailable")
	}
	w.setError("open near/a", nil)
	must.Do(t, e.RefreshEmbedder(t.Context()))
	must.Do(t, e.EmbedPending(t.Context()))
	if err := checkVectorSearch(t.Context(), e); err != nil {
		t.Error(err)
	}
	if at := embeddingStats(t, e); at.Error != "" || at.Model != "near/a" {
		t.Errorf("once the provider answers: %+v", at)
	}
}

func TestRebuildDuringAModelChangeReusesCachedVectors(t *testing.T) {
	w := &modelConfig{configured: "near/a", errs: map[string]error{}, embedded: map[string][]string{}}
	e := openModels(t, w, manyMemories(t), filepath.Join(t.TempDir(), "tiered.db"))
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	must.Get(e.Index(t.Context(), memory.IndexRequest{}, nil))(t)
	w.configure("near/b")
	must.Do(t, e.RefreshEmbedder(t.Context()))
	must.Get(e.ChangeModel(t.Context(), time.Nanosecond, nil))(t)
	must.Get(e.Index(t.Context(), memory.IndexRequest{Force: true}, nil))(t)
	must.Do(t, e.RefreshEmbedder(t.Context()))
	must.Get(e.ChangeModel(t.Context(), 0, nil))(t)
	if at := embeddingStats(t, e); at.Model != "near/b" {
		t.Errorf("after the change: %+v, next %+v", at, at.Next)
	}
	if n := len(w.embedded["near/b"]); n != 302 {
		t.Errorf("%d texts were embedded, want 302", n)
	}
	if err := checkVectorSearch(t.Context(), e); err != nil {
		t.Error(err)
	}
}
