package engine_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed/static"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/internal/must"
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
// some lines; nil: it is not there.
func newClients(t *testing.T, own, native []string) *engine.Engine {
	t.Helper()
	return newWorkspaces(t, "codex", own, native)
}

// newWorkspaces is newClients with any client. Its workspace has the name of the client.
func newWorkspaces(t *testing.T, client string, own, native []string) *engine.Engine {
	t.Helper()
	embedder := static.New()
	root := t.TempDir()
	o := engine.Options{Embedder: embedder, Recall: recall.Defaults(), AutoRecall: true, Now: func() time.Time { return now }}
	for name, lines := range map[string][]string{"main": own, client: native} {
		if lines == nil {
			continue
		}
		dir := filepath.Join(root, name, "memories")
		must.Do(t, os.MkdirAll(dir, 0o700))
		must.Do(t, os.WriteFile(filepath.Join(dir, "MEMORY.md"), []byte("- "+strings.Join(lines, "\n- ")+"\n"), 0o600))
		w := engine.WorkspaceConfig{Name: name, Dir: dir, DBPath: filepath.Join(root, name, "tiered.db"), Zone: time.UTC}
		if name != "main" {
			w.Client, w.Options = client, workspace.Options{ReadOnly: true}
		}
		o.Workspaces = append(o.Workspaces, w)
	}
	e := must.Get(engine.Open(t.Context(), onBackend(t, o)))(t)
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, w := range o.Workspaces {
		must.Get(e.Index(t.Context(), memory.IndexRequest{Workspace: w.Name}, nil))(t)
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
	must.Do(t, e.Delivered(t.Context(), "", answer.Receipt))
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

// Who has only what a client or a team writes gets it, and nothing is written there.
func TestAQuestionNeedsNoWorkspaceOfAPerson(t *testing.T) {
	e := newClients(t, nil, linesOf(func(int) bool { return true }))
	folder, question, want := t.TempDir(), facts[0].question, facts[0].line
	hook := memory.HookRequest{Client: "claude-code", Event: "UserPromptSubmit", Input: map[string]any{"session_id": "s", "cwd": folder, "prompt": question}}
	if a, err := e.Hook(t.Context(), hook); err != nil || !strings.Contains(a.Output, want) {
		t.Errorf("the hook answers %q, %v", a.Output, err)
	}
	if a, err := e.Recall(t.Context(), memory.RecallRequest{Standing: true, Folder: folder}); err != nil || len(a.Hits) > 0 {
		t.Errorf("a session begins with %q, %v", a.Context, err)
	}
	if a, err := e.Search(t.Context(), memory.SearchRequest{Query: question, Folder: folder}); err != nil || len(a.Hits) == 0 || a.Hits[0].Text != want {
		t.Errorf("%d hits, %v", len(a.Hits), err)
	}
	a, err := e.Recall(t.Context(), memory.RecallRequest{Prompt: question, Folder: folder})
	if err != nil || len(a.Hits) == 0 {
		t.Fatalf("%d memories, %v", len(a.Hits), err)
	}
	id := string(a.Hits[0].ID)
	if err := e.Delivered(t.Context(), "", a.Receipt); err != nil {
		t.Error(err)
	}
	if last, err := e.Last(t.Context(), memory.LastRequest{}); err != nil || last.Receipt.ID != a.Receipt {
		t.Errorf("the last answer is %s, %v", last.Receipt.ID, err)
	}
	if a, err := e.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionForget, IDs: []string{id}}); err != nil || len(a.Changed) != 1 {
		t.Errorf("%d are forgotten, %v", len(a.Changed), err)
	}
	if a, err := e.Show(t.Context(), memory.ShowRequest{ID: id}); err != nil || !a.Memory.Forgotten {
		t.Errorf("%+v, %v", a.Memory, err)
	}
	if a, err := e.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionForget, Query: "bike", All: true}); err == nil {
		t.Errorf("a filter that names no workspace forgets %d", len(a.Changed))
	}
	if _, err := e.Store(t.Context(), memory.StoreRequest{Text: "I like my coffee black"}); err == nil {
		t.Error("a text is stored")
	}
	if _, err := e.Capture(t.Context(), memory.CaptureRequest{Folder: folder, Messages: []memory.CaptureMessage{{Role: "user", Content: "Remember that I like my coffee black"}}}); err == nil {
		t.Error("a text is captured")
	}
}

// Between a person and a team only a copy of what one of them forgets is hidden. A client keeps what it
// was told among other words, and so a memory that repeats six of them is hidden too.
func TestAForgottenTextHidesNoMoreOfATeamThanItsCopies(t *testing.T) {
	const forgotten, copied, longer = "The board meeting takes place on Friday in room four", "the board meeting takes place on *Friday* in room four!", "The board meeting takes place on Friday in room four with cake"
	const question = "When does the board meeting take place?"
	for _, c := range []struct {
		client, from, want string
	}{{workspace.ClientTeam, "main", longer}, {workspace.ClientTeam, workspace.ClientTeam, longer}, {"codex", "main", ""}} {
		lines := map[string][]string{"main": {copied, longer}, c.client: {copied, longer}}
		lines[c.from] = []string{forgotten}
		e := newWorkspaces(t, c.client, lines["main"], lines[c.client])
		before, err := e.Recall(t.Context(), memory.RecallRequest{Prompt: question, Folder: t.TempDir()})
		if err != nil || !strings.Contains(before.Context, "with cake") {
			t.Fatalf("before: %q, %v", before.Context, err)
		}
		must.Do(t, e.Delivered(t.Context(), "", before.Receipt))
		must.Get(e.Decide(t.Context(), memory.DecideRequest{Workspace: c.from, Action: memory.ActionForget, Query: forgotten}))(t)
		isRight := func(text string) bool { return c.want != "" && strings.HasSuffix(text, c.want) }
		found, err := e.Recall(t.Context(), memory.RecallRequest{Prompt: question, Folder: t.TempDir()})
		if err != nil || len(found.Hits) > 1 || isRight(longer) != (len(found.Hits) == 1) || len(found.Hits) == 1 && !isRight(found.Hits[0].Text) {
			t.Errorf("%s, forgotten in %s: %q, %v", c.client, c.from, found.Context, err)
		}
		last, err := e.Last(t.Context(), memory.LastRequest{Receipt: before.Receipt})
		shown := slices.DeleteFunc(last.Injected, func(m memory.ReceiptMemory) bool { return m.Memory == nil || m.Memory.Text == forgotten })
		if err != nil || len(shown) > 1 || isRight(longer) != (len(shown) == 1) || len(shown) == 1 && !isRight(shown[0].Memory.Text) {
			t.Errorf("%s, forgotten in %s: the last block has %+v, %v", c.client, c.from, shown, err)
		}
		if c.from != "main" {
			continue
		}
		listed, err := e.List(t.Context(), memory.ListRequest{Workspace: c.client})
		if err != nil || len(listed.Memories) != 2 {
			t.Fatalf("%d memories, %v", len(listed.Memories), err)
		}
		for _, m := range listed.Memories {
			if _, err := e.Show(t.Context(), memory.ShowRequest{ID: string(m.ID), For: memory.AudienceModel}); (err == nil) != isRight(m.Text) {
				t.Errorf("%s, by id: %q, %v", c.client, m.Text, err)
			}
		}
	}
}
