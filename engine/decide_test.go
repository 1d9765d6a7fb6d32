package engine_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/index"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/recall"
)

const (
	heron = "A blue heron lives by the mill pond"
	owl   = "The owl in the barn hunts at dusk"
)

// reopenable is an engine over a workspace that a test closes and opens again.
type reopenable struct {
	world
	zone *time.Location
}

func newReopenable(t *testing.T, files map[string]string) *reopenable {
	w := &reopenable{world: world{t: t, dir: t.TempDir(), db: filepath.Join(t.TempDir(), "tiered.db")}, zone: time.UTC}
	for path, text := range files {
		w.write(path, text)
	}
	w.open()
	t.Cleanup(func() { _ = w.Close() }) // a test that closes it checks the error itself
	return w
}

func (w *reopenable) open() {
	w.t.Helper()
	w.openUnscanned()
	w.index()
}

// openUnscanned opens the engine before the first scan of the files.
func (w *reopenable) openUnscanned() {
	w.t.Helper()
	e := must.Get(engine.Open(w.t.Context(), onBackend(w.t, engine.Options{
		Workspaces: []engine.WorkspaceConfig{{Name: "main", Dir: w.dir, DBPath: w.db, Zone: w.zone}},
		Embedder:   embed.None{}, Recall: recall.Defaults(), AutoRecall: true, ContextTTL: time.Hour,
		Now: func() time.Time { return now },
	})))(w.t)
	w.Engine = e
}

func (w *world) decide(r memory.DecideRequest) memory.DecideAnswer {
	w.t.Helper()
	a, err := w.Decide(w.t.Context(), r)
	if err != nil {
		w.t.Fatalf("%+v: %v", r, err)
	}
	return a
}

// idOf returns the id of the memory with this text.
func (w *world) idOf(text string) memory.ID {
	w.t.Helper()
	for _, r := range []memory.ListRequest{{Properties: true}, {Filter: memory.Filter{Forgotten: true}}, {Missing: true},
		{Missing: true, Filter: memory.Filter{Forgotten: true}}} {
		a := must.Get(w.List(w.t.Context(), r))(w.t)
		for _, m := range a.Memories {
			if m.Text == text {
				return m.ID
			}
		}
	}
	w.t.Fatalf("no memory has the text %q", text)
	return ""
}

func (w *world) find(text string) memory.Memory {
	w.t.Helper()
	m := must.Get(w.Show(w.t.Context(), memory.ShowRequest{ID: string(w.idOf(text))}))(w.t)
	return m.Memory
}

func decideRequest(action memory.Action, id memory.ID) memory.DecideRequest {
	return memory.DecideRequest{Action: action, IDs: []string{string(id)}}
}

// A file that must not be written keeps its bytes and the decision holds. A broken
// file is refused and nothing holds.
func TestDecisionOnAnUnwritableFileIsKeptOrRefused(t *testing.T) {
	tests := []struct {
		name, text string
		mode       os.FileMode
		kind       error
	}{
		{"no write bit", "- " + heron + "\n", 0o444, nil},
		{"TOML", "+++\ntier = \"warm\"\n+++\n- " + heron + "\n", 0o644, nil},
		{"closed by dots", "---\ntier: warm\n...\n- " + heron + "\n", 0o644, nil},
		{"broken YAML", "---\ntier: [warm\n---\n- " + heron + "\n", 0o644, memory.ErrConflict},
		{"conflict markers", "---\nmemories:\n<<<<<<< a\n  - {id: \"3f8a91c2b7d0\", quote: \"x\", pinned: true}\n=======\n>>>>>>> b\n---\n- " + heron + "\n", 0o644, memory.ErrConflict},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n"})
			id := w.idOf(heron)
			w.write("MEMORY.md", tt.text)
			must.Do(t, os.Chmod(filepath.Join(w.dir, "MEMORY.md"), tt.mode))
			a, err := w.Decide(t.Context(), decideRequest(memory.ActionForget, id))
			if tt.kind != nil {
				if !errors.Is(err, tt.kind) || w.find(heron).Forgotten {
					t.Errorf("error %v; forgotten is %v", err, w.find(heron).Forgotten)
				}
			} else if err != nil || len(a.Notices) != 1 || !w.find(heron).Forgotten || len(w.search(heron)) != 0 {
				t.Errorf("answer %+v, %v", a, err)
			}
			if w.read("MEMORY.md") != tt.text {
				t.Errorf("the file changed:\n%s", w.read("MEMORY.md"))
			}
			if tt.kind == nil {
				w.write("memory/x.md", "- something else entirely\n")
				w.index()
				if w.decide(decideRequest(memory.ActionRestore, id)); w.find(heron).Forgotten {
					t.Error("the memory cannot be restored")
				}
			}
		})
	}
}

func TestDecisionInTheIndexMovesToTheFileOnceWritable(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n"})
	file := filepath.Join(w.dir, "MEMORY.md")
	must.Do(t, os.Chmod(file, 0o444))
	w.decide(decideRequest(memory.ActionPin, w.idOf(heron)))
	must.Do(t, os.Chmod(file, 0o644))
	w.decide(decideRequest(memory.ActionArchive, w.idOf(heron)))
	if text := w.read("MEMORY.md"); !strings.Contains(text, "pinned: true, tier: archive") {
		t.Error(text)
	}
}

// The index holds the intent that a killed process leaves between any two steps.
func TestInterruptedDecisionIsCompletedAtStart(t *testing.T) {
	for _, written := range []bool{false, true} {
		t.Run(fmt.Sprintf("file already written: %v", written), func(t *testing.T) {
			w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + owl + "\n"})
			id := w.idOf(heron)
			must.Do(t, w.Close())
			db := must.Get(index.Open(t.Context(), w.db, index.Options{Server: indextest.Server()}))(t)
			yes := true
			declared := memory.Declared{Forgotten: &yes, ForgottenAt: now}
			must.Do(t, db.Update(t.Context(), now, func(tx *index.Tx) error {
				return tx.BeginIntent(index.Intent{Batch: "b", Action: "forget", Source: "cli",
					Items: []index.IntentItem{{ID: id, After: declared, Hide: true}}, ForgetTexts: []memory.ID{id},
					Rows: []memory.AuditRow{{At: now, Action: "forget", ID: id, Source: "cli", Batch: "b",
						Old: map[string]any{"forgotten": false, "said": memory.Declared{}}, New: map[string]any{"forgotten": true, "said": declared}}}})
			}))
			if found, _ := db.FindByPrefix(t.Context(), memory.View{}, string(id)); !found[0].Forgotten {
				t.Error("the memory is not hidden from the first step on")
			}
			must.Do(t, db.Close())
			line := "  - {id: \"" + id.InFile() + "\", quote: \"" + heron + "\", forgotten: 2026-11-20}\n"
			if written {
				w.write("MEMORY.md", "---\nmemories:\n"+line+"---\n- "+heron+"\n- "+owl+"\n")
			}
			w.open()
			if !strings.Contains(w.read("MEMORY.md"), line) || !w.find(heron).Forgotten || w.find(owl).Forgotten {
				t.Errorf("after the start the file is\n%s\nand the memory %+v", w.read("MEMORY.md"), w.find(heron))
			}
			audit, err := w.Audit(t.Context(), memory.AuditRequest{})
			if err != nil || audit.Total != 1 || audit.Audit[0].Source != "cli" {
				t.Errorf("audit %+v, %v", audit, err)
			}
			w.decide(memory.DecideRequest{Action: memory.ActionUndo})
			if w.find(heron).Forgotten || w.read("MEMORY.md") != "- "+heron+"\n- "+owl+"\n" {
				t.Errorf("after undo the file is\n%s", w.read("MEMORY.md"))
			}
		})
	}
}

func TestModelUndoesNoDecisionOfAPerson(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + owl + "\n"})
	byTool := decideRequest(memory.ActionPin, w.idOf(owl))
	byTool.Source = "tool"
	w.decide(byTool)
	w.decide(decideRequest(memory.ActionForget, w.idOf(heron)))
	for n := 1; n <= 2; n++ {
		undo := memory.DecideRequest{Action: memory.ActionUndo, Count: n, For: memory.AudienceModel, Source: "tool"}
		if _, err := w.Decide(t.Context(), undo); !errors.Is(err, memory.ErrForbidden) {
			t.Errorf("undo of %d commands: %v", n, err)
		}
	}
	if !w.find(heron).Forgotten || !w.find(owl).Pinned {
		t.Error("a refused undo changed a memory")
	}
	w.decide(memory.DecideRequest{Action: memory.ActionUndo})
	w.decide(memory.DecideRequest{Action: memory.ActionUndo, For: memory.AudienceModel, Source: "tool"})
	if w.find(heron).Forgotten || w.find(owl).Pinned {
		t.Error("after the person's undo, the tool's own decision can be undone")
	}
}

func TestForgetAppliesToAllCopies(t *testing.T) {
	files := map[string]string{"MEMORY.md": "- " + heron + "\n", "memory/a.md": "- " + heron + "\n- port 5432\n",
		"memory/b.md": "# Database\n- port 5432\n"}
	w := newReopenable(t, files)
	a := w.decide(decideRequest(memory.ActionForget, w.idOf(heron)))
	if len(a.Changed) != 2 || len(w.search(heron)) != 0 {
		t.Errorf("forget changed %d memories; search finds %+v", len(a.Changed), w.search(heron))
	}
	// Restoring any copy restores all.
	forgotten, err := w.List(t.Context(), memory.ListRequest{Filter: memory.Filter{Forgotten: true, Path: "memory/a.md"}})
	if err != nil || forgotten.Total != 1 {
		t.Fatal(forgotten, err)
	}
	if a := w.decide(decideRequest(memory.ActionRestore, forgotten.Memories[0].ID)); len(a.Changed) != 2 {
		t.Errorf("restoring one copy changed %+v", a)
	}
	for path, text := range files {
		if w.read(path) != text {
			t.Errorf("after restore %s is %q", path, w.read(path))
		}
	}
	// A short text means the memory under its own heading only.
	listed := must.Get(w.List(t.Context(), memory.ListRequest{Filter: memory.Filter{Path: "memory/b.md"}}))(t)
	if a := w.decide(decideRequest(memory.ActionForget, listed.Memories[0].ID)); len(a.Changed) != 1 {
		t.Errorf("forgetting a short text changed %+v", a)
	}
	// With only, one of two copies is forgotten.
	only := decideRequest(memory.ActionForget, w.idOf(heron))
	only.Only = true
	if a := w.decide(only); len(a.Changed) != 1 || w.exactHits(heron) != 1 {
		t.Errorf("forgetting one copy changed %+v", a)
	}
}

// It holds whichever copy had the entry, and in a new index too.
func TestRestoreOnlyKeepsOtherCopiesForgotten(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n", "memory/a.md": "- " + heron + "\n"})
	id := w.idOf(heron)
	w.decide(decideRequest(memory.ActionForget, id))
	only := decideRequest(memory.ActionRestore, id)
	only.Only = true
	w.decide(only)
	for _, when := range []string{"at once", "with a new index"} {
		if found := w.search(heron); len(found) != 1 || found[0].Path != w.find(heron).Path {
			t.Errorf("%s: %+v", when, found)
		}
		must.Do(t, w.Close())
		must.Do(t, os.RemoveAll(filepath.Dir(w.db)))
		w.open()
	}
}

func TestPreviewChangesNothing(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n"})
	r := decideRequest(memory.ActionForget, w.idOf(heron))
	r.Preview = true
	if a := w.decide(r); len(a.Changed) != 1 || !a.Changed[0].Forgotten || !a.Preview || w.find(heron).Forgotten {
		t.Errorf("preview: %+v", a)
	}
	if w.read("MEMORY.md") != "- "+heron+"\n" {
		t.Error(w.read("MEMORY.md"))
	}
}

func TestStoreKeepsTierTypeAndPin(t *testing.T) {
	w := newReopenable(t, nil)
	half := 0.5
	a, err := w.Store(t.Context(), memory.StoreRequest{Text: owl, Tier: memory.TierWarm, Type: memory.TypeProcedural,
		Category: memory.CategoryRisk, Importance: &half, Pinned: true, Source: memory.SourceTool})
	m := a.Memory
	if err != nil || m.Tier != memory.TierWarm || m.Type != memory.TypeProcedural || m.Category != memory.CategoryRisk ||
		m.Importance != half || !m.Pinned || m.Source != memory.SourceTool {
		t.Errorf("stored %+v, %v", m, err)
	}
	w.decide(decideRequest(memory.ActionForget, m.ID))
	w.write("memory/"+filepath.Base(m.Path), "")
	w.index()
	if _, err := w.Store(t.Context(), memory.StoreRequest{Text: owl}); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("a forgotten text whose file is empty can be stored again: %v", err)
	}
}

// exactHits counts the hits of a search whose text is exactly the query.
func (w *world) exactHits(text string) (n int) {
	for _, h := range w.search(text) {
		if h.Text == text {
			n++
		}
	}
	return n
}

// A scan while git is busy is followed by one that knows the branch. So an entry
// that is removed by hand right after a checkout restores its memory.
func TestEntryRemovedAfterACheckoutRestores(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + owl + "\n"})
	git(t, w.dir, "init", "-q", "-b", "main")
	w.index()
	w.decide(decideRequest(memory.ActionForget, w.idOf(owl)))
	w.decide(decideRequest(memory.ActionForget, w.idOf(heron)))
	git(t, w.dir, "add", "-A")
	git(t, w.dir, "commit", "-q", "-m", "forget both")
	git(t, w.dir, "checkout", "-q", "-b", "other")
	w.write("memory/a.md", "- a line of the other branch\n")
	git(t, w.dir, "add", "-A")
	git(t, w.dir, "commit", "-q", "-m", "more")
	w.index()
	git(t, w.dir, "checkout", "-q", "main")
	w.index()
	var kept []string
	for line := range strings.Lines(w.read("MEMORY.md")) {
		if !strings.Contains(line, "quote: \""+owl) {
			kept = append(kept, line)
		}
	}
	w.write("MEMORY.md", strings.Join(kept, ""))
	w.index()
	if w.find(owl).Forgotten || !w.find(heron).Forgotten {
		t.Errorf("entry removed: forgotten is %v; entry kept: forgotten is %v", w.find(owl).Forgotten, w.find(heron).Forgotten)
	}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	needGit(t)
	if out, err := runGit(dir, args...); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func TestDecisionsOfSeveralEntriesHoldWhenTheirFilesAreDeleted(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n"})
	id := w.idOf(heron)
	line := func(declared string) string {
		return "---\nmemories:\n  - {id: \"" + id.InFile() + "\", quote: \"" + heron + "\", " + declared + "}\n---\n- something else that " + declared[:4] + " stands for\n"
	}
	w.write("memory/a.md", line("pinned: true"))
	w.write("memory/b.md", line("tier: cold"))
	w.index()
	for _, path := range []string{"memory/a.md", "memory/b.md"} {
		must.Do(t, os.Remove(filepath.Join(w.dir, path)))
	}
	w.index()
	if m := w.find(heron); !m.Pinned || m.Tier != memory.TierCold {
		t.Errorf("pinned is %v, tier %s", m.Pinned, m.Tier)
	}
}

func TestUndoneDecisionAboutAMissingMemoryIsGone(t *testing.T) {
	for _, action := range []memory.Action{memory.ActionPin, memory.ActionForget} {
		w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + owl + "\n"})
		id := w.idOf(heron)
		w.write("MEMORY.md", "- "+owl+"\n")
		w.index()
		if a := w.decide(decideRequest(action, id)); len(a.Changed) != 1 {
			t.Fatalf("%s: %+v", action, a)
		}
		w.decide(memory.DecideRequest{Action: memory.ActionUndo})
		w.write("MEMORY.md", "- "+heron+"\n- "+owl+"\n")
		w.index()
		if m := w.find(heron); m.Pinned || m.Forgotten || m.ID != id {
			t.Errorf("%s, undone: %+v", action, m)
		}
		if text := w.read("MEMORY.md"); text != "- "+heron+"\n- "+owl+"\n" {
			t.Errorf("%s, undone: the file is\n%s", action, text)
		}
	}
}
