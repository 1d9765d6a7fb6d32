package engine_test

import (
	"path/filepath"
	"testing"
	"time"
)

// A model that takes long to load, or hangs, delays no question of a service.
func TestServiceAnswersWhileTheChosenModelLoads(t *testing.T) {
	c := newLoadableConfig()
	c.state.waits = true
	e := openLoadable(t, c, func() string { return "" }, manyMemories(t), filepath.Join(t.TempDir(), "tiered.db"))
	indexAll(t, e)
	changeAll(t, e)
	c.state.set(func() { c.state.loaded, c.state.loading = false, 12*time.Second })
	if by := answeredBy(t, e, c); by != "table" || len(e.ModelWanted()) == 0 {
		t.Errorf("while it loads: answered by %s, %d asked for the model", by, len(e.ModelWanted()))
	}
	if at := embeddingStats(t, e); at.Loaded || at.LoadingSeconds != 12 || at.Model != "near/heavy" || at.Meanwhile != "near/table" {
		t.Errorf("while it loads: %+v", at)
	}
	c.state.set(func() { c.state.loading = 0 })
	if err := e.LoadModels(t.Context()); err != nil {
		t.Fatal(err)
	}
	if by := answeredBy(t, e, c); by != "heavy" {
		t.Errorf("loaded: answered by %s", by)
	}
}

// A change back to the fast model frees the memory of the other one. A model that a person
// chooses does not wait, whatever it waited for before.
func TestReplacedModelIsReleasedAndWaitsForNothing(t *testing.T) {
	c := newLoadableConfig()
	e := openLoadable(t, c, func() string { return "the machine is busy" }, manyMemories(t), filepath.Join(t.TempDir(), "tiered.db"))
	indexAll(t, e)
	changeAll(t, e)
	if at := embeddingStats(t, e); at.Next == nil || at.Next.Waiting != "the machine is busy" {
		t.Fatalf("auto on a busy machine: %+v, next %+v", at, at.Next)
	}
	c.state.set(func() { c.state.waits = true })
	if err := e.RefreshEmbedder(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := e.ChangeModel(t.Context(), time.Nanosecond, nil); err != nil {
		t.Fatal(err)
	}
	if at := embeddingStats(t, e); at.Next == nil || at.Next.Done == 0 || at.Next.Waiting != "" {
		t.Errorf("best on a busy machine: %+v, next %+v", at, at.Next)
	}
	changeAll(t, e)
	if released := e.ReleaseModels(); !released { // the fake model is released whenever it is asked
		t.Error("the serving model was not asked")
	}
	c.state.set(func() { c.state.loaded = true })
	c.state.set(func() { c.state.replaced = true })
	if err := e.RefreshEmbedder(t.Context()); err != nil {
		t.Fatal(err)
	}
	changeAll(t, e)
	if at := embeddingStats(t, e); at.Model != "near/table" {
		t.Fatalf("fast again: %+v", at)
	}
	if !e.ReleaseModels() || c.state.loaded {
		t.Error("the replaced model is still loaded")
	}
}
