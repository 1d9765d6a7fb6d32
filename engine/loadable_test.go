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
	"github.com/memory-tiered/memory/recall"
)

// loadableModel is a model that has to be loaded, with the table near/table.
type loadableModel struct {
	saltedModel
	state *loadState
}

// loadState is what the test decides about a loadableModel, and sees of it.
type loadState struct {
	mu            sync.Mutex
	loaded, waits bool
	replaced      bool // the configuration names the table
	loading       time.Duration
	failure       error // of the next loads and batches
	noted         error
}

func (m loadableModel) Meanwhile() embed.Embedder {
	return saltedModel{name: "near/table", config: m.config}
}
func (m loadableModel) QueriesWait() bool    { return m.state.waits }
func (m loadableModel) ResidentBytes() int64 { return 0 }

func (m loadableModel) Loaded() bool {
	m.state.mu.Lock()
	defer m.state.mu.Unlock()
	return m.state.loaded
}

func (m loadableModel) Loading() time.Duration {
	m.state.mu.Lock()
	defer m.state.mu.Unlock()
	return m.state.loading
}

func (m loadableModel) Failure() error {
	m.state.mu.Lock()
	defer m.state.mu.Unlock()
	return m.state.noted
}

func (m loadableModel) Load(context.Context) error {
	m.state.mu.Lock()
	defer m.state.mu.Unlock()
	m.state.loaded, m.state.noted = m.state.failure == nil, m.state.failure
	return m.state.failure
}

func (m loadableModel) ReleaseUnused(time.Duration) bool {
	m.state.mu.Lock()
	defer m.state.mu.Unlock()
	released := m.state.loaded
	m.state.loaded = false
	return released
}

func (m loadableModel) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	if err := m.Load(ctx); err != nil {
		return nil, err
	}
	return m.saltedModel.Embed(ctx, kind, texts)
}

func (s *loadState) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

// loadableConfig is a configuration of a loadable model.
type loadableConfig struct {
	*modelConfig
	state *loadState
}

func (c loadableConfig) Configured(context.Context) (embed.Embedder, error) {
	c.state.mu.Lock()
	defer c.state.mu.Unlock()
	if c.state.replaced {
		return saltedModel{name: "near/table", config: c.modelConfig}, nil
	}
	return loadableModel{saltedModel{name: "near/heavy", config: c.modelConfig}, c.state}, nil
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

func openLoadable(t *testing.T, c loadableConfig, hold func() string, dir, db string) *engine.Engine {
	t.Helper()
	e, err := engine.Open(t.Context(), engine.Options{
		Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: dir, DBPath: db, Zone: time.UTC}},
		Embedders:  c, Recall: recall.Defaults(), AutoRecall: true, ContextTTL: time.Hour, Hold: hold, ModelIdle: time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	e.SetDaemonStatus(func() *memory.DaemonStatus { return &memory.DaemonStatus{} })
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func newLoadableConfig() loadableConfig {
	return loadableConfig{&modelConfig{errs: map[string]error{}, embedded: map[string][]string{}}, &loadState{}}
}

func indexAll(t *testing.T, e *engine.Engine) {
	t.Helper()
	if _, err := e.Index(t.Context(), memory.IndexRequest{}, nil); err != nil {
		t.Fatal(err)
	}
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
func answeredBy(t *testing.T, e *engine.Engine, c loadableConfig) string {
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
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestTableServesUntilTheLoadableModelHasAllVectors(t *testing.T) {
	c, h, dir := newLoadableConfig(), &holder{reason: "the machine runs on battery"}, manyMemories(t)
	db := filepath.Join(t.TempDir(), "tiered.db")
	e := openLoadable(t, c, h.hold, dir, db)
	indexAll(t, e)
	if more, err := e.ChangeModel(t.Context(), 0, nil); more || err != nil {
		t.Fatal(more, err)
	}
	at := embeddingStats(t, e)
	if at.Model != "near/table" || at.Pending != 0 || at.Next == nil || at.Next.Model != "near/heavy" || at.Next.Done != 0 || at.Next.Waiting != "the machine runs on battery" {
		t.Fatalf("on battery: %+v, next %+v", at, at.Next)
	}
	if by := answeredBy(t, e, c); by != "table" {
		t.Errorf("on battery: answered by %s", by)
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
	e2 := openLoadable(t, c, h.hold, dir, db+"2") // another workspace does not disturb it
	indexAll(t, e2)
	changeAll(t, e)
	if at := embeddingStats(t, e); at.Model != "near/heavy" || at.Next != nil || at.Meanwhile != "near/table" || !at.Loaded {
		t.Errorf("after the change: %+v, next %+v", at, at.Next)
	}
	if by := answeredBy(t, e, c); by != "heavy" {
		t.Errorf("after the change: answered by %s", by)
	}
	if n := len(c.embedded["near/heavy"]) - before; n > 303 {
		t.Errorf("%d texts were embedded after the first batch", n)
	}
}

func TestNewestAndMostUsedMemoriesAreEmbeddedFirst(t *testing.T) {
	c := newLoadableConfig()
	w := &world{t: t, dir: t.TempDir()}
	w.write("memory/2026-01-01.md", "- heron at pond\n- used often\n")
	for day := 2; day < 25; day++ {
		w.write(fmt.Sprintf("memory/2026-02-%02d.md", day), fmt.Sprintf("- day%d\n", day))
	}
	e := openLoadable(t, c, func() string { return "" }, w.dir, filepath.Join(t.TempDir(), "tiered.db"))
	indexAll(t, e)
	answer, err := e.Search(t.Context(), memory.SearchRequest{Query: "used often", Limit: new(1), Session: "s", Record: true})
	if err != nil || len(answer.Hits) == 0 {
		t.Fatal(answer, err)
	}
	if err := e.Delivered(t.Context(), "", answer.Receipt); err != nil {
		t.Fatal(err)
	}
	if err := e.FlushUses(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := e.ChangeModel(t.Context(), time.Nanosecond, nil); err != nil {
		t.Fatal(err)
	}
	first := c.embedded["near/heavy"]
	if len(first) < 3 || first[0] != "used often" || first[1] != "day24" || first[2] != "day23" {
		t.Errorf("embedded first: %q", first)
	}
}

func TestTableAnswersWhileTheModelIsNotLoaded(t *testing.T) {
	c, h, dir := newLoadableConfig(), &holder{}, manyMemories(t)
	e := openLoadable(t, c, h.hold, dir, filepath.Join(t.TempDir(), "tiered.db"))
	indexAll(t, e)
	changeAll(t, e)
	if !e.ReleaseModels() {
		t.Fatal("not released")
	}
	for len(e.ModelWanted()) > 0 {
		<-e.ModelWanted()
	}
	if by := answeredBy(t, e, c); by != "table" {
		t.Errorf("not loaded: answered by %s", by)
	}
	if len(e.ModelWanted()) == 0 {
		t.Error("the question did not ask for the model")
	}
	if at := embeddingStats(t, e); at.Loaded || at.Model != "near/heavy" || at.Meanwhile != "near/table" {
		t.Errorf("not loaded: %+v", at)
	}
	<-e.ModelWanted()
	if err := e.LoadModels(t.Context()); err != nil {
		t.Fatal(err)
	}
	if by := answeredBy(t, e, c); by != "heavy" {
		t.Errorf("loaded: answered by %s", by)
	}

	// A new text is found at once by the table, which answers until the model has its
	// vector. On battery, a loaded model embeds a few texts all the same.
	h.set("the machine runs on battery")
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

// The process of the model ends during a question, and cannot start again.
func TestTableAnswersWhenTheModelFails(t *testing.T) {
	c, h := newLoadableConfig(), &holder{}
	e := openLoadable(t, c, h.hold, manyMemories(t), filepath.Join(t.TempDir(), "tiered.db"))
	indexAll(t, e)
	cause := errors.New("the disk has no room for the transformer's weights")
	c.state.set(func() { c.state.failure = cause })
	if _, err := e.ChangeModel(t.Context(), 0, nil); !errors.Is(err, cause) {
		t.Fatalf("the failing model: %v", err)
	}
	if at := embeddingStats(t, e); at.Next == nil || !strings.Contains(at.Next.Error, "no room") {
		t.Errorf("while the change fails: %+v, next %+v", at, at.Next)
	}
	c.state.set(func() { c.state.failure = nil })
	changeAll(t, e)

	cause = errors.New("its process ran out of memory")
	c.state.set(func() { c.state.failure = cause })
	if by := answeredBy(t, e, c); by != "table" {
		t.Errorf("the process ended during the question: answered by %s", by)
	}
	if at := embeddingStats(t, e); at.Loaded || !strings.Contains(at.Error, "out of memory") {
		t.Errorf("while the model fails: %+v", at)
	}
	c.state.set(func() { c.state.failure = nil })
	if err := e.LoadModels(t.Context()); err != nil {
		t.Fatal(err)
	}
	if by := answeredBy(t, e, c); by != "heavy" {
		t.Errorf("after the cause is gone: answered by %s", by)
	}
	if at := embeddingStats(t, e); at.Error != "" {
		t.Errorf("after the cause is gone: %+v", at)
	}
}

// With the quality best, a question waits for the model, also in a command. The change
// back to a fast model keeps no vectors beside it.
func TestQuestionsCanWaitForTheModel(t *testing.T) {
	c, dir, db := newLoadableConfig(), manyMemories(t), filepath.Join(t.TempDir(), "tiered.db")
	c.state.waits = true
	e := openLoadable(t, c, nil, dir, db)
	indexAll(t, e)
	changeAll(t, e)
	c.state.set(func() { c.state.loaded = false })
	if by := answeredBy(t, e, c); by != "heavy" {
		t.Errorf("best: answered by %s", by)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	c.configure("near/table")
	e = openModels(t, c.modelConfig, dir, db)
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	changeAll(t, e)
	if at := embeddingStats(t, e); at.Model != "near/table" || at.Meanwhile != "" || at.Next != nil {
		t.Errorf("fast again: %+v, next %+v", at, at.Next)
	}
	if by := answeredBy(t, e, c); by != "table" {
		t.Errorf("fast again: answered by %s", by)
	}
}

// A person who asks for the model sees which texts still lack its vectors.
func TestTextsArePendingUntilTheChosenModelHasThem(t *testing.T) {
	c := newLoadableConfig()
	c.state.waits = true
	cause := errors.New("the disk has no room for the transformer's weights")
	c.state.set(func() { c.state.failure = cause })
	e := openLoadable(t, c, nil, manyMemories(t), filepath.Join(t.TempDir(), "tiered.db"))
	indexAll(t, e)
	if _, err := e.ChangeModel(t.Context(), 0, nil); !errors.Is(err, cause) {
		t.Fatalf("the failing model: %v", err)
	}
	indexed, err := e.Index(t.Context(), memory.IndexRequest{}, nil)
	if err != nil || indexed.Pending == 0 || !strings.Contains(indexed.PendingReason, "no room") {
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

// A session often begins with a greeting, for which no memory is searched.
func TestGreetingLoadsTheModel(t *testing.T) {
	c := newLoadableConfig()
	e := openLoadable(t, c, func() string { return "" }, manyMemories(t), filepath.Join(t.TempDir(), "tiered.db"))
	indexAll(t, e)
	changeAll(t, e)
	if !e.ReleaseModels() {
		t.Fatal("not released")
	}
	for len(e.ModelWanted()) > 0 {
		<-e.ModelWanted()
	}
	answer, err := e.Recall(t.Context(), memory.RecallRequest{Prompt: "hello", Session: "s"})
	if err != nil || answer.Skipped == nil || len(e.ModelWanted()) == 0 {
		t.Errorf("skipped %v, %v; wanted %d", answer.Skipped, err, len(e.ModelWanted()))
	}
}
