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
	"github.com/memory-tiered/memory/recall"
)

// salted is a model of its own for each name, all of one dimension: compared with
// another's, its vectors say nothing.
type salted struct {
	embedtest.Words
	name  string
	world *modelWorld
}

func (s salted) Model() string { return s.name }
func (s salted) Remote() bool  { return strings.HasPrefix(s.name, "far/") }

func (s salted) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	if err := s.world.broken(s.name); err != nil {
		return nil, err
	}
	own := make([]string, len(texts))
	for i, text := range texts {
		s.world.saw(s.name, text)
		for word := range strings.FieldsSeq(strings.ToLower(text)) {
			own[i] += " " + s.name + strings.Trim(word, ".?")
		}
	}
	return s.Words.Embed(ctx, kind, own)
}

// modelWorld says what the configuration names, and which models answer.
type modelWorld struct {
	mu     sync.Mutex
	wanted string
	down   map[string]error
	seen   map[string][]string
}

func (w *modelWorld) want(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wanted = name
}

func (w *modelWorld) fail(name string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down[name] = err
}

func (w *modelWorld) broken(name string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.down[name]
}

func (w *modelWorld) saw(name, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen[name] = append(w.seen[name], text)
}

func (w *modelWorld) Configured(context.Context) (embed.Embedder, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.down["open "+w.wanted]; err != nil {
		return nil, err
	}
	return salted{name: w.wanted, world: w}, nil
}

func (w *modelWorld) Previous(_ context.Context, model string) (embed.Embedder, error) {
	return salted{name: model, world: w}, nil
}

func openModels(t *testing.T, w *modelWorld, dir, db string) *engine.Engine {
	t.Helper()
	e, err := engine.Open(t.Context(), engine.Options{
		Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: dir, DBPath: db, Zone: time.UTC}},
		Embedders:  w, Recall: recall.Defaults(), AutoRecall: true, ContextTTL: time.Hour,
	})
	if err != nil {
		t.Fatal(err)
	}
	e.SetDaemonStatus(func() *memory.DaemonStatus { return &memory.DaemonStatus{} })
	return e
}

// finds asks by vectors alone, and expects the one memory that shares a word.
func finds(ctx context.Context, e *engine.Engine) error {
	answer, err := e.Search(ctx, memory.SearchRequest{Query: "heron", Lane: memory.LaneVector})
	switch {
	case err != nil:
		return err
	case answer.Lanes[memory.LaneVector] != "ok":
		return errors.New(answer.Lanes[memory.LaneVector])
	case len(answer.Hits) == 0 || !strings.Contains(answer.Hits[0].Text, "heron") || answer.Hits[0].VectorScore <= 0:
		return fmt.Errorf("found %+v", answer.Hits)
	}
	return nil
}

func embeddingOf(t *testing.T, e *engine.Engine) memory.EmbeddingStats {
	t.Helper()
	stats, err := e.Stats(t.Context(), "main")
	if err != nil {
		t.Fatal(err)
	}
	return stats.Embedding
}

func birds(t *testing.T) (dir string) {
	w := &world{t: t, dir: t.TempDir()}
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "- item%d of list%d stands at place%d\n", i, i%7, i%11)
	}
	w.write("MEMORY.md", b.String()+"- heron at pond\n")
	w.write("memory/private.md", "---\nprivate: true\n---\n- hidden thing\n")
	return w.dir
}

// TestNoMomentWithoutVectors asks without pause while the model is changed, the
// change is interrupted by a kill and a provider that fails, and goes on.
func TestNoMomentWithoutVectors(t *testing.T) {
	w := &modelWorld{wanted: "near/a", down: map[string]error{}, seen: map[string][]string{}}
	dir, db := birds(t), filepath.Join(t.TempDir(), "tiered.db")
	e := openModels(t, w, dir, db)
	if _, err := e.Index(t.Context(), memory.IndexRequest{}, nil); err != nil {
		t.Fatal(err)
	}
	if err := finds(t.Context(), e); err != nil {
		t.Fatal(err)
	}

	w.want("far/b")
	if err := e.RefreshEmbedder(t.Context()); err != nil {
		t.Fatal(err)
	}
	if more, err := e.ChangeModel(t.Context(), time.Nanosecond, nil); err != nil || !more {
		t.Fatalf("more %v, %v", more, err)
	}
	at := embeddingOf(t, e)
	if at.Model != "near/a" || at.Next == nil || at.Next.Model != "far/b" || at.Next.Done == 0 || at.Next.Done >= at.Next.Total {
		t.Fatalf("%+v %+v", at, at.Next)
	}
	if err := finds(t.Context(), e); err != nil {
		t.Fatal(err)
	}

	// The provider fails: the former one serves, and status says why.
	w.fail("far/b", errors.New("429 for now"))
	if _, err := e.ChangeModel(t.Context(), 0, nil); err == nil {
		t.Fatal("a failing provider goes unnoticed")
	}
	if at := embeddingOf(t, e); at.Next == nil || !strings.Contains(at.Next.Error, "429 for now") || at.Error != "" {
		t.Errorf("%+v %+v", at, at.Next)
	}
	if err := finds(t.Context(), e); err != nil {
		t.Error(err)
	}

	// Killed and started again, it goes on where it was.
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	w.fail("far/b", nil)
	before := len(w.seen["far/b"])
	e = openModels(t, w, dir, db)
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := finds(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var asking sync.WaitGroup
	errs := make(chan error, 4)
	for range cap(errs) {
		asking.Go(func() {
			for ctx.Err() == nil {
				if err := finds(context.WithoutCancel(ctx), e); err != nil {
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
	time.Sleep(20 * time.Millisecond) // some questions of the new model
	stop()
	asking.Wait()
	close(errs)
	for err := range errs {
		t.Errorf("while the model was changed: %v", err)
	}
	if at := embeddingOf(t, e); at.Model != "far/b" || at.Next != nil || at.Pending != 0 || at.Error != "" {
		t.Errorf("%+v %+v", at, at.Next)
	}
	embedded := 0
	for _, text := range w.seen["far/b"] {
		if strings.Contains(text, "hidden") {
			t.Errorf("a private text left: %q", text)
		}
		if strings.Contains(text, "item") {
			embedded++
		}
	}
	if embedded != 300 || before == 0 {
		t.Errorf("%d of 300 texts embedded in both runs together, %d in the first", embedded, before)
	}

	// Back again, everything is known already but what changed.
	w.want("near/a")
	was := len(w.seen["near/a"])
	if err := e.RefreshEmbedder(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := e.ChangeModel(t.Context(), 0, nil); err != nil {
		t.Fatal(err)
	}
	if at := embeddingOf(t, e); at.Model != "near/a" || len(w.seen["near/a"]) != was {
		t.Errorf("%+v; %d texts embedded again", at, len(w.seen["near/a"])-was)
	}
	if err := finds(t.Context(), e); err != nil {
		t.Error(err)
	}
}

// TestAProviderThatIsNotThereYet: words serve alone, the answer says why, and it
// heals by itself.
func TestAProviderThatIsNotThereYet(t *testing.T) {
	w := &modelWorld{wanted: "near/a", down: map[string]error{"open near/a": errors.New("nobody listens there")}, seen: map[string][]string{}}
	e := openModels(t, w, birds(t), filepath.Join(t.TempDir(), "tiered.db"))
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	if _, err := e.Index(t.Context(), memory.IndexRequest{}, nil); err != nil {
		t.Fatal(err)
	}
	answer, err := e.Search(t.Context(), memory.SearchRequest{Query: "heron"})
	if err != nil || len(answer.Hits) == 0 || !strings.Contains(answer.Lanes[memory.LaneVector], "nobody listens there") {
		t.Errorf("%+v, %v", answer.Lanes, err)
	}
	if at := embeddingOf(t, e); !strings.Contains(at.Error, "nobody listens there") || at.Dim != 0 {
		t.Errorf("%+v", at)
	}
	if err := e.RefreshEmbedder(t.Context()); err == nil {
		t.Error("it is wanted, not there, and nobody says so")
	}
	w.fail("open near/a", nil)
	if err := e.RefreshEmbedder(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := e.EmbedPending(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := finds(t.Context(), e); err != nil {
		t.Error(err)
	}
	if at := embeddingOf(t, e); at.Error != "" || at.Model != "near/a" {
		t.Errorf("%+v", at)
	}
}

// TestARebuildDuringAChange: what was made for the next model is found again in
// the cache.
func TestARebuildDuringAChange(t *testing.T) {
	w := &modelWorld{wanted: "near/a", down: map[string]error{}, seen: map[string][]string{}}
	e := openModels(t, w, birds(t), filepath.Join(t.TempDir(), "tiered.db"))
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	if _, err := e.Index(t.Context(), memory.IndexRequest{}, nil); err != nil {
		t.Fatal(err)
	}
	w.want("near/b")
	if err := e.RefreshEmbedder(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := e.ChangeModel(t.Context(), time.Nanosecond, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Index(t.Context(), memory.IndexRequest{Force: true}, nil); err != nil {
		t.Fatal(err)
	}
	if err := e.RefreshEmbedder(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := e.ChangeModel(t.Context(), 0, nil); err != nil {
		t.Fatal(err)
	}
	if at := embeddingOf(t, e); at.Model != "near/b" {
		t.Errorf("%+v %+v", at, at.Next)
	}
	if n := len(w.seen["near/b"]); n != 302 {
		t.Errorf("%d texts embedded, there are 302", n)
	}
	if err := finds(t.Context(), e); err != nil {
		t.Error(err)
	}
}
