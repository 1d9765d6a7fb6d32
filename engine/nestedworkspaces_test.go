package engine_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/recall"
)

// A folder and its subfolder are both registered, and both index the subfolder's files.
// What a file declares holds in both.
func TestDecisionsInAFileHoldInEachWorkspaceThatHasIt(t *testing.T) {
	outer, state := t.TempDir(), t.TempDir()
	inner := filepath.Join(outer, "memory", "birds")
	file := filepath.Join(inner, "MEMORY.md")
	must.Do(t, os.MkdirAll(inner, 0o700))
	must.Do(t, os.WriteFile(file, []byte("- heron at the pond\n- stork on the roof\n"), 0o600))
	config := func(name, dir string) engine.WorkspaceConfig {
		return engine.WorkspaceConfig{Name: name, Dir: dir, DBPath: filepath.Join(state, name, "tiered.db")}
	}
	e := must.Get(engine.Open(t.Context(), onBackend(t, engine.Options{StateDir: state, Workspaces: []engine.WorkspaceConfig{config("inner", inner), config("outer", outer)},
		Embedder: embed.None{}, Recall: recall.Defaults()})))(t)
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	index := func() {
		t.Helper()
		for _, name := range []string{"inner", "outer"} {
			must.Get(e.Index(t.Context(), memory.IndexRequest{Workspace: name}, nil))(t)
		}
	}
	list := func(workspace string) (texts []string) {
		t.Helper()
		answer := must.Get(e.List(t.Context(), memory.ListRequest{Workspace: workspace}))(t)
		for _, m := range answer.Memories {
			mark := ""
			if m.Pinned {
				mark = " (pinned)"
			}
			texts = append(texts, m.Text+mark)
		}
		slices.Sort(texts)
		return texts
	}
	decide := func(workspace string, action memory.Action, text string) memory.DecideAnswer {
		t.Helper()
		answer, err := e.Decide(t.Context(), memory.DecideRequest{Workspace: workspace, Action: action, Query: text, Confirm: action == memory.ActionDestroy})
		if err != nil {
			t.Fatalf("%s %q in %s: %v", action, text, workspace, err)
		}
		index()
		return answer
	}
	expect := func(when string, want ...string) {
		t.Helper()
		for _, name := range []string{"inner", "outer"} {
			if got := list(name); !slices.Equal(got, want) {
				t.Errorf("%s: %s has %q, want %q", when, name, got, want)
			}
		}
	}
	index()
	expect("at first", "heron at the pond", "stork on the roof")
	decide("outer", memory.ActionForget, "heron at the pond")
	expect("forgotten in the outer one", "stork on the roof")
	decide("inner", memory.ActionPin, "stork on the roof")
	expect("pinned in the inner one", "stork on the roof (pinned)")
	destroyed := decide("outer", memory.ActionDestroy, "stork on the roof")
	expect("destroyed in the outer one")
	if src, err := os.ReadFile(file); err != nil || strings.Contains(string(src), "stork") {
		t.Errorf("%q, %v", src, err)
	}
	if destroyed.Scan == nil || destroyed.Scan.Found == 0 {
		t.Errorf("the other index still has the text, and destroy does not report it: %+v", destroyed.Scan)
	}
	gone, err := e.Decide(t.Context(), memory.DecideRequest{Workspace: "inner", Action: memory.ActionDestroy, Missing: true, Confirm: true})
	if err != nil || len(gone.Changed) != 1 || gone.Scan == nil || gone.Scan.Found != 0 {
		t.Errorf("destroyed in both: %+v, %v", gone, err)
	}
}
