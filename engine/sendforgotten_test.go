package engine_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/internal/must"
)

// TestForgottenTextIsNotSentToARemoteModelAgain rebuilds the index and changes the
// model after a text was forgotten.
func TestForgottenTextIsNotSentToARemoteModelAgain(t *testing.T) {
	w := &modelConfig{configured: "far/a", errs: map[string]error{}, embedded: map[string][]string{}}
	dir, state := manyMemories(t), t.TempDir()
	e := openModels(t, w, dir, filepath.Join(state, "tiered.db"))
	index := func() {
		t.Helper()
		must.Get(e.Index(t.Context(), memory.IndexRequest{Force: true}, nil))(t)
		if at := embeddingStats(t, e); at.Pending != 0 || at.Error != "" {
			t.Errorf("after indexing: %+v", at)
		}
	}
	sent := func(model string) bool {
		return slices.ContainsFunc(w.embedded[model], func(text string) bool { return strings.Contains(text, "heron") })
	}
	decide := func(action memory.Action) {
		t.Helper()
		id := memory.NewID(chunker.Fingerprint("heron at pond"), 0)
		must.Get(e.Decide(t.Context(), memory.DecideRequest{Action: action, IDs: []string{string(id)}}))(t)
	}
	index()
	if !sent("far/a") {
		t.Fatal("the text was never embedded")
	}
	decide(memory.ActionForget)

	w.configure("far/b")
	must.Do(t, e.RefreshEmbedder(t.Context()))
	if more, err := e.ChangeModel(t.Context(), 0, nil); err != nil || more {
		t.Fatalf("change of the model: more is %v, %v", more, err)
	}
	if at := embeddingStats(t, e); at.Model != "far/b" || at.Next != nil || sent("far/b") {
		t.Errorf("after the change: %+v; sent: %v", at, sent("far/b"))
	}

	must.Do(t, e.Close())
	w.embedded["far/b"] = nil
	e = openModels(t, w, dir, filepath.Join(state, "new.db"))
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	index()
	if len(w.embedded["far/b"]) == 0 || sent("far/b") {
		t.Errorf("after a rebuild: %d texts were sent, the forgotten one: %v", len(w.embedded["far/b"]), sent("far/b"))
	}
	decide(memory.ActionRestore)
	index()
	if !sent("far/b") {
		t.Error("a restored text is not embedded")
	}
}
