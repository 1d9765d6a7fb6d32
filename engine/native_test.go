package engine_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed/static"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/recall"
	"github.com/memory-tiered/memory/workspace"
)

// facts are the lines of a workspace, with a question for each.
var facts = []struct{ line, question string }{
	{"The billing service listens on port 7431", "Which port does the billing service listen on?"},
	{"My bike is called Rosinante", "What is my bike called?"},
	{"The dentist is Dr. Vogel in the Lindenstrasse", "Who is my dentist?"},
	{"Deploys go out on Fridays with Nomad", "When do deploys go out?"},
	{"The collector writes to PostgreSQL 17", "Which database does the collector write to?"},
	{"Anna prefers tea over coffee", "What does Anna drink?"},
	{"The staging certificate expires in March", "When does the staging certificate expire?"},
	{"The blog uses the Hyde theme in solarized colours", "Which theme does the blog use?"},
	{"Backups of the collector run at 03:30", "When do the backups of the collector run?"},
	{"The wifi of the office is named Heron", "What is the wifi of the office named?"},
}

// newClients returns an engine over a workspace of a person and the memory of Codex. Each gets
// some lines.
func newClients(t *testing.T, own, native []string) *engine.Engine {
	t.Helper()
	embedder := static.New()
	root := t.TempDir()
	o := engine.Options{Embedder: embedder, Recall: recall.Defaults(), AutoRecall: true, Now: func() time.Time { return now }}
	for name, lines := range map[string][]string{"main": own, "codex": native} {
		dir := filepath.Join(root, name, "memories")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "MEMORY.md"), []byte("- "+strings.Join(lines, "\n- ")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		w := engine.WorkspaceConfig{Name: name, Dir: dir, DBPath: filepath.Join(root, name, "tiered.db"), Zone: time.UTC}
		if name != "main" {
			w.Client, w.Options = "codex", workspace.Options{ReadOnly: true}
		}
		o.Workspaces = append(o.Workspaces, w)
	}
	e, err := engine.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, w := range o.Workspaces {
		if _, err := e.Index(t.Context(), memory.IndexRequest{Workspace: w.Name}, nil); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

func linesOf(keep func(int) bool) (lines []string) {
	for i, f := range facts {
		if keep(i) {
			lines = append(lines, f.line)
		}
	}
	return lines
}

// A memory has about the same similarity wherever it is, because words are as rare in one
// workspace as in all of them.
func TestMemoriesOfAClientHaveTheScaleOfOneWorkspace(t *testing.T) {
	whole := newClients(t, linesOf(func(int) bool { return true }), []string{"x"})
	few := newClients(t, linesOf(func(i int) bool { return i > 1 }), linesOf(func(i int) bool { return i <= 1 }))
	for _, load := range []bool{false, true} {
		for _, f := range facts {
			var similarity []float64
			for _, e := range []*engine.Engine{whole, few} {
				for _, name := range []string{"main", "codex"} {
					if err := e.Load(t.Context(), name); load && err != nil {
						t.Fatal(err)
					}
				}
				answer, err := e.Search(t.Context(), memory.SearchRequest{Query: f.question, Folder: t.TempDir(), Ranked: true})
				if err != nil || len(answer.Hits) == 0 || answer.Hits[0].Text != f.line {
					t.Fatalf("%q: the best of %d hits is not %q, error %v", f.question, len(answer.Hits), f.line, err)
				}
				similarity = append(similarity, answer.Hits[0].Similarity)
			}
			if math.Abs(similarity[0]-similarity[1]) > 0.06 {
				t.Errorf("%q: similarity %.2f in one workspace, %.2f in two", f.question, similarity[0], similarity[1])
			}
		}
	}
}

func TestOneBudgetHoldsForAllWorkspaces(t *testing.T) {
	e := newClients(t, []string{"The boat Otter has a red sail", "The boat Otter has a new motor"}, []string{"The boat Otter has a blue flag", "The boat Otter has two anchors"})
	all, err := e.Recall(t.Context(), memory.RecallRequest{Prompt: "What does the boat Otter have?", Folder: t.TempDir()})
	if err != nil || len(all.Hits) < 3 {
		t.Fatalf("%d memories, want more than 2; error %v", len(all.Hits), err)
	}
	two := 2
	answer, err := e.Recall(t.Context(), memory.RecallRequest{Prompt: "What does the boat Otter have?", Folder: t.TempDir(), MaxItems: &two})
	if err != nil || len(answer.Hits) != 2 || strings.Count(answer.Context, "\n- ") != 2 {
		t.Errorf("%d memories, want 2; error %v\n%s", len(answer.Hits), err, answer.Context)
	}
}

func TestUsesCountInTheWorkspaceOfTheMemory(t *testing.T) {
	e := newClients(t, linesOf(func(i int) bool { return i > 0 }), linesOf(func(i int) bool { return i == 0 }))
	answer, err := e.Recall(t.Context(), memory.RecallRequest{Prompt: facts[0].question, Folder: t.TempDir(), Session: "s"})
	if err != nil || len(answer.Hits) == 0 {
		t.Fatalf("%d memories, error %v", len(answer.Hits), err)
	}
	if err := e.Delivered(t.Context(), "", answer.Receipt); err != nil {
		t.Fatal(err)
	}
	shown, err := e.Show(t.Context(), memory.ShowRequest{ID: string(answer.Hits[0].ID)})
	if err != nil || shown.Memory.Text != facts[0].line || shown.Memory.UseCount != 1 {
		t.Errorf("%q was used %d times, error %v", shown.Memory.Text, shown.Memory.UseCount, err)
	}
	last, err := e.Last(t.Context(), memory.LastRequest{})
	if err != nil || len(last.Injected) == 0 || last.Injected[0].Memory == nil || last.Injected[0].Memory.Text != facts[0].line {
		t.Errorf("the last block is %+v, error %v", last.Injected, err)
	}
}

// What a workspace hides reaches a model by no id either.
func TestAHiddenTextIsNotShownByTheIdOfAClientsMemory(t *testing.T) {
	e := newClients(t, []string{facts[0].line + " <!-- private: true -->", "another line"}, []string{facts[0].line, facts[1].line})
	listed, err := e.List(t.Context(), memory.ListRequest{Workspace: "codex"})
	if err != nil || len(listed.Memories) != 2 {
		t.Fatalf("%d memories, error %v", len(listed.Memories), err)
	}
	for _, m := range listed.Memories {
		_, err := e.Show(t.Context(), memory.ShowRequest{ID: string(m.ID), For: memory.AudienceModel})
		if isHidden := m.Text == facts[0].line; isHidden != (err != nil) {
			t.Errorf("%q: error %v", m.Text, err)
		}
	}
}
