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
