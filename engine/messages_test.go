package engine_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/recall"
	"github.com/memory-tiered/memory/workspace"
)

// openWorkspaces opens an engine without scanning a file.
func openWorkspaces(t *testing.T, workspaces ...engine.WorkspaceConfig) *engine.Engine {
	t.Helper()
	e := must.Get(engine.Open(t.Context(), onBackend(t, engine.Options{Workspaces: workspaces, Embedder: embed.None{}, Recall: recall.Defaults(), AutoRecall: true,
		Now: func() time.Time { return now }})))(t)
	t.Cleanup(func() { _ = e.Close() })
	return e
}

func TestRequestWithoutAWorkspaceNamesTheChoices(t *testing.T) {
	e := openWorkspaces(t, engine.WorkspaceConfig{Name: "work", Dir: t.TempDir(), DBPath: filepath.Join(t.TempDir(), "a.db")},
		engine.WorkspaceConfig{Name: "home", Dir: t.TempDir(), DBPath: filepath.Join(t.TempDir(), "b.db")})
	_, err := e.Search(t.Context(), memory.SearchRequest{Query: "owl"})
	if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "there are several workspaces: name one of home, work") {
		t.Errorf("%v", err)
	}
	if _, err := e.Search(t.Context(), memory.SearchRequest{Workspace: "main", Query: "owl"}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("a name that is not registered: %v", err)
	}
}

func TestBadPathPatternIsAnError(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- " + heron + "\n"})
	f := memory.Filter{Path: "memory/[["}
	_, searchErr := w.Search(t.Context(), memory.SearchRequest{Query: "heron", Filter: f})
	_, listErr := w.List(t.Context(), memory.ListRequest{Filter: f})
	_, decideErr := w.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionPin, Filter: &f})
	for _, err := range []error{searchErr, listErr, decideErr} {
		if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "at character 8 cannot be matched") {
			t.Errorf("%v", err)
		}
	}
}

// status distinguishes a database that cannot be opened from a folder that is gone.
func TestStatusTellsTheIndexFromTheFolder(t *testing.T) {
	dir, db := t.TempDir(), filepath.Join(t.TempDir(), "tiered.db")
	must.Do(t, os.Mkdir(db, 0o700))
	gone := filepath.Join(t.TempDir(), "gone")
	e := openWorkspaces(t, engine.WorkspaceConfig{Name: "a", Dir: dir, DBPath: db},
		engine.WorkspaceConfig{Name: "b", Dir: gone, DBPath: filepath.Join(t.TempDir(), "b.db")})
	status := must.Get(e.Status(t.Context()))(t)
	a, b := status.Workspaces[0], status.Workspaces[1]
	if !a.Available || !a.IndexFailed || a.Fresh || !strings.Contains(a.Error, "open database") {
		t.Errorf("with a folder as its database: %+v", a)
	}
	if b.Available || b.IndexFailed || b.Fresh || !strings.Contains(b.Error, "missing") {
		t.Errorf("without its folder: %+v", b)
	}
}

func TestReadOnlyWorkspaceIsNamedAsTheCause(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, "MEMORY.md"), []byte("- "+heron+"\n"), 0o644))
	e := openWorkspaces(t, engine.WorkspaceConfig{Name: "notes", Dir: dir, DBPath: filepath.Join(t.TempDir(), "tiered.db"),
		Options: workspace.Options{ReadOnly: true}})
	must.Get(e.Index(t.Context(), memory.IndexRequest{}, nil))(t)
	w := &world{Engine: e, t: t, dir: dir}
	_, stored := e.Store(t.Context(), memory.StoreRequest{Text: heron + " and at dawn"})
	_, destroyed := e.Decide(t.Context(), destroyRequest(w.idOf(heron)))
	_, captured := e.Capture(t.Context(), memory.CaptureRequest{Messages: []memory.CaptureMessage{{Role: "user", Content: "Remember that I drink tea with milk"}}})
	for what, err := range map[string]error{"store": stored, "destroy": destroyed, "capture": captured} {
		var known *memory.Error
		if !errors.As(err, &known) || !strings.Contains(err.Error(), "the workspace notes is read-only") || !strings.Contains(known.Hint, "workspaces.notes.readOnly") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if status, err := e.Status(t.Context()); err != nil || !status.Workspaces[0].ReadOnly {
		t.Errorf("status: %+v, %v", status, err)
	}
}

// The preview of a query tells how well each memory fits. One that fits badly is
// destroyed by its id only.
func TestPreviewOfAQueryTellsHowWellItFits(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- " + heron + "\n- How we release the tidal gate software on a Tuesday\n"})
	for query, sure := range map[string]bool{heron: true, "gate code": false} {
		r := memory.DecideRequest{Action: memory.ActionDestroy, Query: query, Preview: true}
		a := w.decide(r)
		if len(a.Changed) != 1 || len(a.Similarity) != 1 || a.Similarity[a.Changed[0].ID] < minDestroyed != !sure {
			t.Errorf("%q: %+v", query, a)
		}
		if hasNotice := strings.Contains(strings.Join(a.Notices, " "), "name its id"); hasNotice == sure {
			t.Errorf("%q: notices %q", query, a.Notices)
		}
		if sure {
			continue
		}
		r.Preview, r.Confirm = false, true
		if _, err := w.Decide(t.Context(), r); !errors.Is(err, memory.ErrConflict) || !strings.Contains(err.Error(), "not surely") {
			t.Errorf("%q: %v", query, err)
		}
	}
	if a := w.decide(decideRequest(memory.ActionPin, w.idOf(heron))); a.Similarity != nil {
		t.Errorf("a decision by id: %+v", a)
	}
}

// minDestroyed is the similarity from which destroy takes the hit of a query.
const minDestroyed = 0.6

func TestAuditRefusesWhatItCannotKnow(t *testing.T) {
	w := newWorld(t, nil)
	for field, r := range map[string]memory.AuditRequest{"action": {Action: "foo"}, "source": {Source: "foo"}, "limit": {Limit: -1}, "offset": {Offset: -1}} {
		_, err := w.Audit(t.Context(), r)
		if known := (*memory.Error)(nil); !errors.As(err, &known) || known.Kind != memory.ErrInvalid || known.Field != field || known.Hint == "" {
			t.Errorf("%s: %v", field, err)
		}
	}
	for _, action := range memory.AuditActions() {
		if _, err := w.Audit(t.Context(), memory.AuditRequest{Action: action}); err != nil {
			t.Errorf("%s: %v", action, err)
		}
	}
}

func TestTextThatCannotBeStoredIsNamedAsTheCause(t *testing.T) {
	w := newWorld(t, nil)
	text := "bytes \xff\xfe that are no text"
	_, err := w.Store(t.Context(), memory.StoreRequest{Text: text, Source: memory.SourceTool})
	if !errors.Is(err, memory.ErrInvalid) || !strings.Contains(err.Error(), "is not valid UTF-8") {
		t.Errorf("%q: %v", text, err)
	}
	hours := 99999.0
	if _, err := w.SetContext(t.Context(), memory.ContextRequest{Text: "x", TTLHours: &hours}); err == nil || !strings.Contains(err.Error(), "it is 99999 hours") {
		t.Errorf("%v", err)
	}
}
