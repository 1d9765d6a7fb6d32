package migrate_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/migrate"
	"github.com/memory-tiered/memory/workspace"
)

// world is a workspace with a plan of three files for it.
type world struct {
	dir, journals string
	workspace     *workspace.Workspace
	plan          *migrate.Plan
}

func newWorld(t *testing.T, files map[string]string) *world {
	t.Helper()
	w := &world{dir: t.TempDir(), journals: filepath.Join(t.TempDir(), "migrations")}
	for name, text := range files {
		w.write(t, name, text)
	}
	var err error
	if w.workspace, err = workspace.Open(w.dir, workspace.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.workspace.Close() })
	o := options()
	o.Exists = w.workspace.Exists
	c := entries("Deploys go out on Fridays")
	c.Documents = []migrate.Document{{Path: "a/b/notes.md", Text: []byte("- Tea\n"), Time: now.Add(-1000 * time.Hour)}, {Path: "a/c.md", Text: []byte("- Coffee\n")}}
	w.plan = migrate.NewPlan(c, nothingKnown(), o)
	return w
}

func (w *world) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(w.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// tree returns every file of the workspace with its hash, and every folder.
func (w *world) tree(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	err := filepath.WalkDir(w.dir, func(name string, d fs.DirEntry, err error) error {
		out.WriteString(strings.TrimPrefix(name, w.dir))
		if err == nil && !d.IsDir() {
			src, err := os.ReadFile(name)
			sum := sha256.Sum256(src)
			out.WriteString(" " + hex.EncodeToString(sum[:]) + "\n")
			return err
		}
		out.WriteString("/\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// begin saves the journal of the plan.
func (w *world) begin(t *testing.T) *migrate.Journal {
	t.Helper()
	j, err := migrate.NewJournal(w.plan, migrate.LanceDB, "/db", w.dir, now, w.workspace.Exists)
	if err == nil {
		err = j.Save(w.journals)
	}
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func (w *world) migrate(t *testing.T) {
	t.Helper()
	j := w.begin(t)
	err := migrate.Write(context.Background(), w.workspace, w.plan, j, func(int) {})
	j.Done = true
	if err = errors.Join(err, j.Save(w.journals)); err != nil {
		t.Fatal(err)
	}
}

func (w *world) undo(t *testing.T, keepEdited bool) (migrate.Undone, error) {
	t.Helper()
	list, err := migrate.Journals(w.journals, w.dir, workspace.SameFolder)
	if err != nil {
		t.Fatal(err)
	}
	return migrate.Undo(context.Background(), w.workspace, list, keepEdited)
}

func (w *world) noJournal(t *testing.T) {
	t.Helper()
	if list, err := migrate.Journals(w.journals, w.dir, workspace.SameFolder); err != nil || len(list) > 0 {
		t.Errorf("journals are left: %v, %v", list, err)
	}
}

func TestRollbackRestoresTheFolderToTheByte(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"empty workspace": {"MEMORY.md": "- Old\n"},
		"with a folder":   {"MEMORY.md": "- Old\n", "memory/imported/mine.md": "- Mine\n", "memory/2026-01-01.md": "- Note\n"},
	} {
		w := newWorld(t, files)
		before := w.tree(t)
		w.migrate(t)
		if w.tree(t) == before {
			t.Fatalf("%s: nothing was written", name)
		}
		if info, err := os.Stat(filepath.Join(w.dir, w.plan.Files[1].Path)); err != nil || !info.ModTime().Equal(now.Add(-1000*time.Hour)) {
			t.Errorf("%s: the copy has another time than the file: %v, %v", name, info, err)
		}
		u, err := w.undo(t, false)
		if err != nil || len(u.Removed) != 3 {
			t.Errorf("%s: %+v, %v", name, u, err)
		}
		if after := w.tree(t); after != before {
			t.Errorf("%s: the folder differs:\n%s\nbefore:\n%s", name, after, before)
		}
		w.noJournal(t)
	}
}

// TestRollbackAfterAKill takes back what a migration leaves that was killed before any
// of its writes, inside one, or while it was taken back.
func TestRollbackAfterAKill(t *testing.T) {
	for written := range 4 {
		for _, temp := range []bool{false, true} {
			w := newWorld(t, map[string]string{"MEMORY.md": "- Old\n"})
			before := w.tree(t)
			w.begin(t)
			for _, f := range w.plan.Files[:written] {
				w.write(t, f.Path, string(f.Text))
			}
			if temp { // the name of a file that the package workspace is writing
				w.write(t, "memory/imported/.memory-tiered-ABCDEF.tmp", "half a fi")
			}
			if written == 2 { // killed again, while it was taken back
				if err := os.Remove(filepath.Join(w.dir, w.plan.Files[0].Path)); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := w.undo(t, false); err != nil {
				t.Fatal(err)
			}
			if after := w.tree(t); after != before {
				t.Errorf("%d files written, temporary file %t: the folder differs:\n%s\nbefore:\n%s", written, temp, after, before)
			}
			w.noJournal(t)
		}
	}
}

func TestRollbackRefusesEditedFiles(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- Old\n"})
	w.migrate(t)
	edited := w.plan.Files[1].Path
	w.write(t, edited, "- Tea, and my own line\n")
	before := w.tree(t)
	_, err := w.undo(t, false)
	if !errors.Is(err, memory.ErrConflict) || !strings.Contains(err.Error(), edited) {
		t.Fatalf("%v, want a conflict that names %s", err, edited)
	}
	if w.tree(t) != before {
		t.Error("a refused rollback changed something")
	}
	u, err := w.undo(t, true)
	if err != nil || len(u.Kept) != 1 || len(u.Removed) != 2 {
		t.Errorf("%+v, %v", u, err)
	}
	if src, err := os.ReadFile(filepath.Join(w.dir, edited)); err != nil || string(src) != "- Tea, and my own line\n" {
		t.Errorf("the edited file is %q, %v", src, err)
	}
	w.noJournal(t)
}

func TestRollbackRefusesALinkInPlaceOfAFile(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- Old\n", "memory/elsewhere.md": "- Tea\n"})
	w.migrate(t)
	path := filepath.Join(w.dir, w.plan.Files[1].Path)
	if err := errors.Join(os.Remove(path), os.Symlink(filepath.Join(w.dir, "memory/elsewhere.md"), path)); err != nil {
		t.Skip(err)
	}
	if _, err := w.undo(t, false); !errors.Is(err, memory.ErrConflict) {
		t.Errorf("%v, want a conflict", err)
	}
	if _, err := os.Stat(filepath.Join(w.dir, "memory/elsewhere.md")); err != nil {
		t.Error(err)
	}
}

func TestAFailedWriteLeavesNothing(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- Old\n"})
	before := w.tree(t)
	j := w.begin(t)
	w.plan.Files[2].Path = "../outside.md"
	if err := migrate.Write(context.Background(), w.workspace, w.plan, j, func(int) {}); err == nil {
		t.Fatal("a path outside the workspace was written")
	}
	if after := w.tree(t); after != before {
		t.Errorf("the folder differs:\n%s\nbefore:\n%s", after, before)
	}
	w.noJournal(t)
}

func TestAFileThatExistsIsNeverReplaced(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- Old\n"})
	j := w.begin(t)
	w.write(t, w.plan.Files[1].Path, "- Somebody was faster\n")
	before := w.tree(t)
	if err := migrate.Write(context.Background(), w.workspace, w.plan, j, func(int) {}); !errors.Is(err, memory.ErrConflict) {
		t.Fatalf("%v, want a conflict", err)
	}
	if after := w.tree(t); after != before {
		t.Errorf("the folder differs:\n%s\nbefore:\n%s", after, before)
	}
}

func TestJournalsKnowWhatCameOver(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- Old\n"})
	w.migrate(t)
	list, err := migrate.Journals(w.journals, w.dir, workspace.SameFolder)
	if err != nil || len(list) != 1 || !list[0].Done {
		t.Fatalf("%+v, %v", list, err)
	}
	known := nothingKnown()
	known.WasMigrated = list[0].Brought
	c := entries("Deploys go out on Fridays", "Deploys go out on Mondays")
	plan := migrate.NewPlan(c, known, options())
	if plan.Memories() != 1 || reasons(plan)["0"] != migrate.SkipMigrated {
		t.Errorf("%d memories come over, left out: %v", plan.Memories(), plan.Skipped)
	}
	src, err := os.ReadDir(w.journals)
	if err != nil || len(src) != 1 {
		t.Fatalf("%v, %v", src, err)
	}
	if text, err := os.ReadFile(filepath.Join(w.journals, src[0].Name())); err != nil || strings.Contains(string(text), "Fridays") {
		t.Errorf("the journal contains a text: %s, %v", text, err)
	}
	if other, err := migrate.Journals(w.journals, t.TempDir(), workspace.SameFolder); err != nil || len(other) > 0 {
		t.Errorf("another workspace has the journal: %v, %v", other, err)
	}
}

func TestVerifyComparesEveryText(t *testing.T) {
	w := newWorld(t, nil)
	var found []memory.Memory
	for _, f := range w.plan.Files {
		for _, text := range f.Texts {
			found = append(found, memory.Memory{Path: f.Path, Text: text})
		}
	}
	if v := migrate.Verify(w.plan, found); !v.OK() || v.Memories != 3 || len(v.Missing) != 0 {
		t.Errorf("%+v", v)
	}
	found[1].Text += "!"
	if v := migrate.Verify(w.plan, found); v.OK() || v.Found != 2 || v.Missing[0].Path != found[1].Path {
		t.Errorf("another text counts as the same: %+v", v)
	}
}

// TestRollbackOfAFileThatNoDiskTakes takes back a journal that an earlier version wrote.
func TestRollbackOfAFileThatNoDiskTakes(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- Old\n"})
	before := w.tree(t)
	w.plan.Files[2].Path = "memory/imported/" + strings.Repeat("n", 300) + ".md"
	j := w.begin(t)
	if err := migrate.Write(context.Background(), w.workspace, w.plan, j, func(int) {}); err == nil {
		t.Fatal("a name of 300 bytes was written")
	}
	if after := w.tree(t); after != before {
		t.Errorf("the failed run left files:\n%s", after)
	}
	w.begin(t)
	if _, err := w.undo(t, false); err != nil {
		t.Errorf("rollback: %v", err)
	}
	w.noJournal(t)
}
