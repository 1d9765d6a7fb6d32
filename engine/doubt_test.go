package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// TestEditedForgottenTextStaysForgottenOnAClone decides about a memory that is
// withheld because its text was edited after it was forgotten.
func TestEditedForgottenTextStaysForgottenOnAClone(t *testing.T) {
	const text = "The safe (cellar, grey one, behind the boiler and the wine rack) combination is 47-11-08"
	line := "  - {id: \"9c01aa7e44f1\", quote: \"The safe combination is 47-11-08\", forgotten: 2026-11-20}\n"
	for _, action := range []memory.Action{memory.ActionRestore, memory.ActionForget} {
		t.Run(string(action), func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "MEMORY.md")
			must.Do(t, os.WriteFile(file, []byte("---\nmemories:\n"+line+"---\n- "+text+"\n"), 0o600))
			w := &modelConfig{configured: "near/a", errs: map[string]error{}, embedded: map[string][]string{}}
			e := openModels(t, w, dir, filepath.Join(t.TempDir(), "tiered.db"))
			defer func() {
				if err := e.Close(); err != nil {
					t.Error(err)
				}
			}()
			must.Get(e.Index(t.Context(), memory.IndexRequest{}, nil))(t)
			found := func() int {
				t.Helper()
				answer := must.Get(e.Search(t.Context(), memory.SearchRequest{Query: "safe combination"}))(t)
				return len(answer.Hits)
			}
			status := func() memory.WorkspaceStatus {
				t.Helper()
				status := must.Get(e.Status(t.Context()))(t)
				return status.Workspaces[0]
			}
			if n, faults := found(), status().Faults; n != 0 || len(faults) != 1 || !strings.Contains(faults[0].Message, "withheld") {
				t.Fatalf("on a clone: %d hits, faults %+v", n, faults)
			}
			hidden, err := e.List(t.Context(), memory.ListRequest{Filter: memory.Filter{Forgotten: true}})
			if err != nil || len(hidden.Memories) != 1 {
				t.Fatalf("forgotten: %+v, %v", hidden.Memories, err)
			}
			answer, err := e.Decide(t.Context(), memory.DecideRequest{Action: action, IDs: []string{string(hidden.Memories[0].ID)}})
			if err != nil || len(answer.Changed) != 1 {
				t.Fatalf("decision: %+v, %v", answer, err)
			}
			want := 0
			if action == memory.ActionRestore {
				want = 1
			}
			for _, force := range []bool{false, true} {
				must.Get(e.Index(t.Context(), memory.IndexRequest{Force: force}, nil))(t)
				if n, faults := found(), status().Faults; n != want || len(faults) != 0 {
					t.Errorf("after the decision: %d hits, faults %+v", n, faults)
				}
			}
			if written, err := os.ReadFile(file); err != nil || !strings.Contains(string(written), line) {
				t.Errorf("the old line is gone: %s %v", written, err)
			}
			if n := status().StaleQuotes; n != 0 {
				t.Errorf("%d stale quotes before the edit", n)
			}
			must.Do(t, os.WriteFile(file, []byte(strings.Replace(readText(t, file), "- The safe (", "- Our safe (", 1)), 0o600))
			must.Get(e.Index(t.Context(), memory.IndexRequest{}, nil))(t)
			if n := status().StaleQuotes; n != 1 || found() != want {
				t.Errorf("%d stale quotes after the edit, %d hits", n, found())
			}
		})
	}
}

func readText(t *testing.T, name string) string {
	t.Helper()
	text := must.Get(os.ReadFile(name))(t)
	return string(text)
}

// TestWithheldMemoryNamesItsLine opens files whose line matches no text, as a clone has them.
// Every command that shows a withheld memory names the line.
func TestWithheldMemoryNamesItsLine(t *testing.T) {
	const code = "The vault code of the zebraquux house is four seven one one"
	line := "---\nmemories:\n  - {id: \"9c01aa7e44f1\", quote: \"The vault code is\", forgotten: 2026-11-20}\n---\n"
	w := newReopenable(t, map[string]string{"MEMORY.md": line + "- " + code + "\n"})
	list, err := w.List(t.Context(), memory.ListRequest{Filter: memory.Filter{Forgotten: true}})
	if err != nil || len(list.Memories) != 1 || list.Memories[0].InDoubt != "MEMORY.md:3" {
		t.Fatalf("forgotten: %+v, %v", list.Memories, err)
	}
	id := list.Memories[0].ID
	explained, err := w.Explain(t.Context(), memory.ExplainRequest{ID: string(id)})
	if err != nil || explained.Eligible || !strings.Contains(explained.Reason, "MEMORY.md:3") || !strings.Contains(explained.Reason, "memory restore "+id.Short()) {
		t.Errorf("explain: %q, %v", explained.Reason, err)
	}
	status, err := w.Status(t.Context())
	if err != nil || status.Workspaces[0].StaleQuotes != 1 || len(status.Workspaces[0].Faults) != 1 {
		t.Errorf("status: %+v, %v", status.Workspaces[0], err)
	}
	w.decide(decideRequest(memory.ActionRestore, id))
	for range 2 {
		if m := w.find(code); m.Forgotten || m.InDoubt != "" {
			t.Errorf("restored: %+v", m)
		}
		w.index()
	}
	if status, err := w.Status(t.Context()); err != nil || status.Workspaces[0].StaleQuotes != 0 || len(status.Workspaces[0].Faults) != 0 {
		t.Errorf("status after the decision: %+v, %v", status.Workspaces[0], err)
	}
}
