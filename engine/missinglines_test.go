package engine_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/internal/property"
)

const (
	nest     = "The heron nests behind the old mill near the river"
	unmarked = "# Birds\n\n- " + nest + "\n"
)

// protectedNotes returns the same note with every kind of line that keeps its memory from
// a model.
func protectedNotes(id memory.ID) map[string]string {
	entry := func(field string) string {
		return fmt.Sprintf("---\nmemories:\n  - {id: %q, quote: %q, %s}\n---\n", id.InFile(), "The heron nests behind the old mill near", field) + unmarked
	}
	return map[string]string{
		"entry in doubt":        strings.Replace(entry("forgotten: 2026-11-20"), "the old mill", "the new mill", 1),
		"entry forgotten":       entry("forgotten: 2026-11-20"),
		"entry private":         entry("private: true"),
		"entry quarantined":     entry("trust: quarantined"),
		"entry user":            entry("user: ada"),
		"file private":          "---\nprivate: true\n---\n" + unmarked,
		"file quarantined":      "---\ntrust: quarantined\n---\n" + unmarked,
		"file user":             "---\nuser: ada\n---\n" + unmarked,
		"annotated private":     "# Birds\n\n- " + nest + " <!-- private -->\n",
		"annotated quarantined": "# Birds\n\n- " + nest + " <!-- trust: quarantined -->\n",
		"annotated user":        "# Birds\n\n- " + nest + " <!-- user: ada -->\n",
	}
}

// gitNotes is a workspace in a git repository whose branch old has the note without any
// protecting line.
type gitNotes struct{ *world }

func newGitNotes(t *testing.T) gitNotes {
	needGit(t)
	g := gitNotes{newWorld(t, map[string]string{"MEMORY.md": unmarked})}
	g.git("init", "-q", "-b", "main")
	g.git("add", "-A")
	g.git("commit", "-q", "-m", "begin")
	g.git("branch", "old")
	g.index()
	return g
}

func (g gitNotes) git(args ...string) {
	g.t.Helper()
	if out, err := runGit(g.dir, args...); err != nil {
		g.t.Fatalf("git %v: %s", args, out)
	}
}

func (g gitNotes) path(name string) string { return filepath.Join(g.dir, ".git", name) }

// touch makes a file in git's folder that is as old as the hour.
func (g gitNotes) touch(name string) {
	g.t.Helper()
	hour := time.Now().Add(-time.Hour)
	must.Do(g.t, os.WriteFile(g.path(name), nil, 0o644))
	must.Do(g.t, os.Chtimes(g.path(name), hour, hour))
}

// writeAt writes the note, and sets when it was written.
func (g gitNotes) writeAt(text string, at time.Time) {
	g.t.Helper()
	g.write("MEMORY.md", text)
	must.Do(g.t, os.Chtimes(filepath.Join(g.dir, "MEMORY.md"), at, at))
}

// isShown reports whether a model gets the heron.
func (g gitNotes) isShown() bool {
	g.t.Helper()
	answer := must.Get(g.Recall(g.t.Context(), memory.RecallRequest{Prompt: "Where does the heron nest near the river?", Sender: memory.Sender{User: "bob"}}))(g.t)
	return strings.Contains(answer.Context, "heron")
}

// TestMissingProtectingLineCountsOnlyWhenGitIsDone takes each protecting line out of a file,
// as a person does and as git does, and looks whether a model gets the text.
func TestMissingProtectingLineCountsOnlyWhenGitIsDone(t *testing.T) {
	later := time.Now().Add(time.Minute)
	ways := []struct {
		name  string
		take  func(gitNotes)
		shown bool
		says  string // by status, while git is at work
	}{
		{"by hand", func(g gitNotes) { g.writeAt(unmarked, later) }, true, ""},
		{"by hand, and committed", func(g gitNotes) { g.writeAt(unmarked, later); g.git("commit", "-qam", "public") }, true, ""},
		{"revert", func(g gitNotes) { g.git("revert", "--no-edit", "HEAD") }, true, ""},
		{"locked index", func(g gitNotes) { g.touch("index.lock"); g.writeAt(unmarked, later) }, false, "index.lock"},
		{"locked HEAD", func(g gitNotes) { g.touch("HEAD.lock"); g.writeAt(unmarked, later) }, false, "HEAD.lock"},
		{"merge", func(g gitNotes) { g.touch("MERGE_HEAD"); g.writeAt(unmarked, later) }, false, "MERGE_HEAD"},
		{"rebase", func(g gitNotes) { g.touch("rebase-merge"); g.writeAt(unmarked, later) }, false, "rebase-merge"},
		{"cherry-pick", func(g gitNotes) { g.touch("CHERRY_PICK_HEAD"); g.writeAt(unmarked, later) }, false, "CHERRY_PICK_HEAD"},
		{"killed, and its lock deleted", func(g gitNotes) {
			for _, name := range []string{"index", "HEAD", "COMMIT_EDITMSG", "config", "logs/HEAD"} {
				must.Do(t, os.Chtimes(g.path(name), time.Now().Add(-time.Hour), time.Now().Add(-time.Hour)))
			}
			g.index()
			g.writeAt(unmarked, time.Now().Add(-time.Minute))
		}, false, ""},
		{"checkout", func(g gitNotes) { g.git("checkout", "-q", "old") }, false, ""},
		{"reset to an earlier commit", func(g gitNotes) { g.git("reset", "-q", "--hard", "HEAD~1") }, false, ""},
		{"detached HEAD", func(g gitNotes) { g.git("checkout", "-q", "HEAD~1") }, false, ""},
		{"bisect", func(g gitNotes) {
			g.git("commit", "-q", "--allow-empty", "-m", "bad")
			g.git("bisect", "start", "-q", "HEAD", "old")
			g.git("checkout", "-q", "old")
		}, false, ""},
		{"sparse checkout", func(g gitNotes) { g.git("sparse-checkout", "set", "--no-cone", "/memory/") }, false, ""},
	}
	const everyWay = "entry forgotten" // the others go a way of each kind
	for kind := range protectedNotes("") {
		for _, way := range ways {
			if kind != everyWay && !*longRun && !slices.Contains([]string{"by hand", "locked index", "checkout"}, way.name) {
				continue
			}
			t.Run(kind+"/"+way.name, func(t *testing.T) {
				t.Parallel()
				g := newGitNotes(t)
				g.write("MEMORY.md", protectedNotes(g.search("heron nests")[0].ID)[kind])
				g.index()
				g.git("commit", "-qam", "protect") // not seen by the index
				g.git("tag", "protected")
				if g.isShown() {
					t.Fatal("shown with its line")
				}
				way.take(g)
				for range 2 {
					g.index()
					if g.isShown() != way.shown {
						t.Errorf("shown: %v, want %v", g.isShown(), way.shown)
					}
				}
				status, err := g.Status(t.Context())
				if notices := strings.Join(status.Workspaces[0].Notices, "\n"); err != nil || !strings.Contains(notices, way.says) {
					t.Errorf("status says %q, %v", notices, err)
				}
				if !way.shown {
					g.countsAgain(kind)
				}
			})
		}
	}
}

// countsAgain ends what git was doing, and takes the line out by hand.
func (g gitNotes) countsAgain(kind string) {
	g.t.Helper()
	for _, name := range []string{"index.lock", "HEAD.lock", "MERGE_HEAD", "rebase-merge", "CHERRY_PICK_HEAD"} {
		_ = os.Remove(g.path(name))
	}
	if _, err := os.Stat(g.path("BISECT_LOG")); err == nil {
		g.git("bisect", "reset")
	}
	_, _ = runGit(g.dir, "sparse-checkout", "disable") // fails where it was not enabled
	g.git("checkout", "-q", "-f", "main")
	g.git("reset", "-q", "--hard", "protected")
	g.index()
	if g.isShown() {
		g.t.Error("shown with its line again")
	}
	g.writeAt(unmarked, time.Now().Add(time.Hour))
	g.index()
	if !g.isShown() {
		g.t.Error("hidden although a person took the line away")
	}
}

// TestSlowCheckoutsShowNoProtectedText checks out another branch file by file, as a slow git
// does: the lock first, then the files, then HEAD. The index looks in between, the program
// starts again, and git is killed. No protected text is ever shown.
func TestSlowCheckoutsShowNoProtectedText(t *testing.T) {
	needGit(t)
	seed := uint64(property.Number(1_000_000))
	for n := range inLongRun(4, 12) {
		t.Run(fmt.Sprint(seed, " ", n), func(t *testing.T) { slowCheckouts(t, rand.New(rand.NewPCG(seed, uint64(n)))) })
	}
}

func slowCheckouts(t *testing.T, rnd *rand.Rand) {
	const files = 12
	w := newReopenable(t, nil)
	text := func(i int) string {
		return fmt.Sprintf("The heron number %d nests at mill %d near river %d", i, i*7, i*3)
	}
	page := func(i int, marked, changed bool) string {
		s := fmt.Sprintf("# Birds\n\n- %s\n", text(i))
		if changed {
			s += fmt.Sprintf("- The owl number %d sits on a chimney of house %d\n", i, i+40)
		}
		switch {
		case !marked || i == 0: // a command forgets it
		case i%4 == 0:
			s = fmt.Sprintf("---\nmemories:\n  - {id: \"%012d\", quote: \"The heron number %d nests at mill %d\", forgotten: 2026-11-20}\n---\n", i, i, i*7) + s
		case i%4 == 1:
			s = "---\nprivate: true\n---\n" + s
		case i%4 == 2:
			s = strings.Replace(s, text(i), text(i)+" <!-- trust: quarantined -->", 1)
		default:
			s = strings.Replace(s, text(i), text(i)+" <!-- private -->", 1)
		}
		return s
	}
	name := func(i int) string { return fmt.Sprintf("memory/birds/%d.md", i) }
	g := gitNotes{&w.world}
	g.git("init", "-q", "-b", "old")
	for i := range files {
		w.write(name(i), page(i, false, rnd.IntN(2) == 0))
	}
	g.git("add", "-A")
	g.git("commit", "-q", "-m", "old")
	g.git("checkout", "-q", "-b", "main")
	for i := range files {
		w.write(name(i), page(i, true, false))
	}
	w.index()
	w.decide(decideRequest(memory.ActionForget, w.idOf(text(0))))
	g.git("commit", "-qam", "main")
	look := func(what string) {
		t.Helper()
		w.index()
		list := must.Get(w.List(t.Context(), memory.ListRequest{For: memory.AudienceModel}))(t)
		for _, m := range list.Memories {
			if strings.Contains(m.Text, "heron") {
				t.Errorf("%s: %s:%d is shown: %s", what, m.Path, m.LineStart, m.Text)
			}
		}
	}
	look("main")
	for _, branch := range []string{"old", "main", "old", "main"} {
		g.touch("index.lock")
		order := rnd.Perm(files)
		killedAt := files + 1
		if rnd.IntN(2) == 0 {
			killedAt = rnd.IntN(files)
		}
		for n, i := range order {
			if n == killedAt {
				break
			}
			src := must.Get(runGit(w.dir, "show", branch+":"+name(i)))(t)
			if rnd.IntN(4) == 0 { // git removes the file first
				_ = os.Remove(filepath.Join(w.dir, name(i)))
				look("file removed")
			}
			w.write(name(i), src)
			switch rnd.IntN(4) {
			case 0:
				look("in the middle")
			case 1:
				w.restart()
				look("opened in the middle")
			}
		}
		look("before HEAD")
		must.Do(t, os.Remove(g.path("index.lock")))
		if killedAt <= files {
			look("killed")
			w.restart()
			look("killed, and opened again")
		}
		g.git("checkout", "-q", "-f", branch)
		look("on " + branch)
	}
	for i := range files {
		w.write(name(i), page(i, false, false))
	}
	later := time.Now().Add(time.Hour)
	for i := range files {
		must.Do(t, os.Chtimes(filepath.Join(w.dir, name(i)), later, later))
	}
	w.index()
	list, err := w.List(t.Context(), memory.ListRequest{For: memory.AudienceModel})
	if err != nil || list.Total != files {
		t.Errorf("%d of %d are shown after a person took the lines away, %v", list.Total, files, err)
	}
}

// restart closes the engine and opens it again.
func (w *reopenable) restart() {
	w.t.Helper()
	must.Do(w.t, w.Close())
	w.open()
}
