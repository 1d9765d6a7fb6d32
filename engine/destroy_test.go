package engine_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

const vault = "The vault code of the quokka office is 4711zyzzyva"

func destroying(ids ...memory.ID) memory.DecideRequest {
	r := memory.DecideRequest{Action: memory.ActionDestroy, Confirm: true}
	for _, id := range ids {
		r.IDs = append(r.IDs, string(id))
	}
	return r
}

// left names the files that hold some bytes, in the workspace and beside the
// database.
func (w *reopenable) left(what string) (names []string) {
	w.t.Helper()
	for _, dir := range []string{w.dir, filepath.Dir(w.db)} {
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			src, err := os.ReadFile(path)
			if strings.Contains(string(src), what) {
				names = append(names, filepath.Base(path))
			}
			return err
		})
		if err != nil {
			w.t.Fatal(err)
		}
	}
	return names
}

func TestDestroyCutsTheTextsOwnLines(t *testing.T) {
	const secret = "- " + vault
	tests := []struct{ name, before, after string }{
		{"a bullet", "# Keys\n\n- one is here\n" + secret + "\n- two is here\n", "# Keys\n\n- one is here\n- two is here\n"},
		{"with its annotations and what is nested", "- one is here\n" + secret + " <!-- importance: 9 --> #key ^id1\n- two is here\n", "- one is here\n- two is here\n"},
		{"the last, without a line end", "- one is here\n" + secret, "- one is here\n"},
		{"all there is", secret + "\n", ""},
		{"CRLF", "- one is here\r\n" + secret + "\r\n- two is here\r\n", "- one is here\r\n- two is here\r\n"},
		{"a byte order mark", "\xef\xbb\xbf" + secret + "\n- one is here\n", "\xef\xbb\xbf- one is here\n"},
		{"a paragraph", "one is here\n\n" + vault + "\n\ntwo is here\n", "one is here\n\n\ntwo is here\n"},
		{"wrapped", "- one is here\n- The vault code of the\n  quokka office is 4711zyzzyva\n- two is here\n", "- one is here\n- two is here\n"},
		{"a quote", "one is here\n\n> " + vault + "\n\ntwo is here\n", "one is here\n\n\ntwo is here\n"},
		{"twice", secret + "\n- one is here\n" + secret + "\n", "- one is here\n"},
		{"between two numbered lists", "1. one is here\n\n" + vault + "\n\n1. two is here\n", "1. one is here\n\n<!-- -->\n\n1. two is here\n"},
		{"above a rule", vault + "\n***\n\n- one is here\n", "***\n\n- one is here\n"},
		{"above what would become front matter", secret + "\n---\ntier: cold\n\n---\n- one is here\n", "\n---\ntier: cold\n\n---\n- one is here\n"},
		{"front matter stays", "---\ntier: warm # mine\n---\n" + secret + "\n- one is here\n", "---\ntier: warm # mine\n---\n- one is here\n"},
		{"TOML stays", "+++\ntier = \"warm\"\n+++\n" + secret + "\n- one is here\n", "+++\ntier = \"warm\"\n+++\n- one is here\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newReopenable(t, map[string]string{"memory/a.md": tt.before, "MEMORY.md": "- " + heron + "\n"})
			a := w.decide(memory.DecideRequest{Action: memory.ActionDestroy, Query: vault, Confirm: true})
			if got := w.read("memory/a.md"); got != tt.after {
				t.Errorf("%q, not %q", got, tt.after)
			}
			if a.Scan.Found != 0 || len(w.left("4711zyzzyva")) > 0 {
				t.Errorf("left in %q; scan %+v", w.left("4711zyzzyva"), a.Scan)
			}
			if got := w.read("MEMORY.md"); got != "- "+heron+"\n" {
				t.Errorf("another file: %q", got)
			}
		})
	}
}

// Every copy goes, and the lines about them, wherever they stand; the others
// keep what was decided about them.
func TestDestroyTakesCopiesAndLines(t *testing.T) {
	w := newReopenable(t, map[string]string{
		"MEMORY.md":     "- " + heron + "\n- " + vault + "\n",
		"memory/a.md":   "# Elsewhere\n\n- " + vault + "\n",
		"memory/old.md": "- " + owl + "\n",
	})
	first := w.id(vault)
	w.decide(about(memory.ActionPin, w.id(heron)))
	w.decide(about(memory.ActionForget, first))
	if err := w.Backup(t.Context()); err != nil {
		t.Fatal(err)
	}
	aside := w.db + ".corrupt-20261120-120000"
	if err := os.WriteFile(aside, []byte(vault), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, left := range []string{".tiered.backup.db-123", ".tiered.forgotten-456"} {
		if err := os.WriteFile(filepath.Join(filepath.Dir(w.db), left), []byte(vault), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.SetContext(t.Context(), memory.ContextRequest{Text: "Now: " + vault}); err != nil {
		t.Fatal(err)
	}
	look := destroying(first)
	look.Preview = true
	if a := w.decide(look); len(a.Changed) != 2 || a.Changed[0].ID != first || a.Changed[0].Text != vault {
		t.Errorf("preview: %+v", a.Changed)
	}

	a := w.decide(destroying(first))
	if len(a.Changed) != 2 || a.Changed[0].Text != "" || a.Scan == nil || a.Scan.Found != 0 || !slices.Contains(a.Unreachable, "git history") {
		t.Errorf("%+v", a)
	}
	for _, what := range []string{vault, "4711zyzzyva", "quokka"} {
		if names := w.left(what); len(names) > 0 {
			t.Errorf("%q is left in %q", what, names)
		}
	}
	if _, err := os.Stat(aside); err == nil || !strings.Contains(fmt.Sprint(a.Notices), "corrupt-") {
		t.Errorf("the database set aside: %v; %q", err, a.Notices)
	}
	if got := w.read("MEMORY.md"); strings.Count(got, "\n") != 5 || !strings.Contains(got, "pinned: true") {
		t.Errorf("the line about the other: %q", got)
	}
	if _, err := w.Show(t.Context(), "", string(first)); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("it is still known: %v", err)
	}
	audit, err := w.Audit(t.Context(), memory.AuditRequest{ID: string(first)})
	if err != nil || audit.Total != 2 || audit.Audit[0].Action != "destroy" || strings.Contains(fmt.Sprint(audit), "said") {
		t.Errorf("audit: %+v %v", audit, err)
	}

	// Written again it is forgotten, whoever writes it.
	w.write("memory/b.md", "- "+vault+"\n")
	w.index()
	if m := w.state(vault); !m.Forgotten {
		t.Errorf("back: %+v", m)
	}
}

func TestDestroyIsRefused(t *testing.T) {
	text := "- " + vault + "\n- " + heron + "\n"
	tests := []struct {
		name, text string
		mode       os.FileMode
	}{
		{"no write bit", text, 0o444},
		{"broken YAML", "---\ntier: [warm\n---\n" + text, 0o644},
		{"conflict markers", text + "<<<<<<< a\n- x\n=======\n- y\n>>>>>>> b\n", 0o644},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newReopenable(t, map[string]string{"MEMORY.md": text, "memory/copy.md": "- " + vault + "\n"})
			id := w.id(vault)
			w.write("MEMORY.md", tt.text)
			if err := os.Chmod(filepath.Join(w.dir, "MEMORY.md"), tt.mode); err != nil {
				t.Fatal(err)
			}
			_, err := w.Decide(t.Context(), destroying(id))
			if !errors.Is(err, memory.ErrConflict) {
				t.Errorf("%v", err)
			}
			if w.read("MEMORY.md") != tt.text || w.read("memory/copy.md") != "- "+vault+"\n" || w.state(vault).Forgotten {
				t.Errorf("something was done: %q %+v", w.read("MEMORY.md"), w.state(vault))
			}
		})
	}
	w := newReopenable(t, map[string]string{"MEMORY.md": text})
	for field, r := range map[string]memory.DecideRequest{
		"confirm": {Action: memory.ActionDestroy, IDs: []string{string(w.id(vault))}},
		"only":    {Action: memory.ActionDestroy, IDs: []string{string(w.id(vault))}, Confirm: true, Only: true},
		"missing": {Action: memory.ActionForget, Missing: true},
		"ids":     {Action: memory.ActionDestroy, Confirm: true},
	} {
		_, err := w.Decide(t.Context(), r)
		if wrong := (*memory.Error)(nil); !errors.As(err, &wrong) || wrong.Field != field || wrong.Hint == "" {
			t.Errorf("%s: %v", field, err)
		}
	}
	if w.read("MEMORY.md") != text {
		t.Error("something was done")
	}
}

// A short text under another heading is another memory: it keeps its id, its
// state and its place.
func TestDestroySparesAShortTextUnderAnotherHeading(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "# Database\n\n- Port 5432\n\n# Printer\n\n- Port 5432\n"})
	list, err := w.List(t.Context(), memory.ListRequest{Sort: "path"})
	if err != nil || len(list.Memories) != 2 {
		t.Fatal(list, err)
	}
	first, second := list.Memories[0], list.Memories[1]
	w.decide(about(memory.ActionPin, second.ID))
	a := w.decide(destroying(first.ID))
	if a.Scan.Found == 0 || !strings.Contains(fmt.Sprint(a.Notices), second.ID.Short()) {
		t.Errorf("nothing says that the words still stand elsewhere: %+v", a)
	}
	m := w.state("Port 5432")
	if m.ID != second.ID || !m.Pinned || m.Forgotten || strings.Contains(w.read("MEMORY.md"), "# Database\n\n- ") {
		t.Errorf("%+v\n%s", m, w.read("MEMORY.md"))
	}
}

// stopped is what a destroying that a test stops ends with.
var errStopped = errors.New("stopped by the test")

// Wherever a destroying is cut short, the next start finishes it; before its
// first step nothing was done.
func TestADestroyingCutShortIsFinished(t *testing.T) {
	for _, step := range []string{"begin", "file", "file 2", "file 3", "index", "tables", "sweep", "copies"} {
		t.Run(step, func(t *testing.T) {
			w := newReopenable(t, map[string]string{
				"MEMORY.md":   "- " + heron + "\n- " + vault + "\n",
				"memory/a.md": "- " + vault + "\n- " + owl + "\n",
				"memory/b.md": "# B\n\n- " + vault + "\n",
			})
			kept := map[string]memory.ID{heron: w.id(heron), owl: w.id(owl)}
			w.decide(about(memory.ActionPin, kept[owl]))
			id := w.id(vault)
			if err := w.Backup(t.Context()); err != nil {
				t.Fatal(err)
			}
			name, _, _ := strings.Cut(step, " ")
			times := map[string]int{"file 2": 2, "file 3": 3}[step]
			w.StopAfter(func(at string) error {
				if at != name {
					return nil
				}
				if times--; times > 0 {
					return nil
				}
				return errStopped
			})
			if _, err := w.Decide(t.Context(), destroying(id)); !errors.Is(err, errStopped) {
				t.Fatalf("not stopped: %v", err)
			}
			if hits := w.search("vault code quokka"); len(hits) > 0 && hits[0].Text == vault {
				t.Error("half destroyed, and found")
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			w.open()
			for _, what := range []string{vault, "4711zyzzyva", "quokka"} {
				if names := w.left(what); len(names) > 0 {
					t.Errorf("%q is left in %q", what, names)
				}
			}
			if _, err := w.Show(t.Context(), "", string(id)); !errors.Is(err, memory.ErrNotFound) {
				t.Errorf("still known: %v", err)
			}
			audit, err := w.Audit(t.Context(), memory.AuditRequest{Action: "destroy"})
			if err != nil || audit.Total != 3 {
				t.Errorf("%d rows in the audit, %v", audit.Total, err)
			}
			for text, id := range kept {
				if w.state(text).ID != id {
					t.Errorf("%q is another memory now", text)
				}
			}
			if !w.state(owl).Pinned || w.state(heron).Forgotten {
				t.Error("another memory's state changed")
			}
			if w.read("MEMORY.md") != "- "+heron+"\n" {
				t.Errorf("%q", w.read("MEMORY.md"))
			}
		})
	}
}

// What is in the way of finishing keeps nobody from being served; the text stays
// forgotten, status says so, and the next decision goes on.
func TestADestroyingThatCannotBeFinishedYet(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + vault + "\n"})
	id := w.id(vault)
	w.StopAfter(func(string) error { return errStopped })
	if _, err := w.Decide(t.Context(), destroying(id)); !errors.Is(err, errStopped) {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	broken := "---\ntier: [warm\n---\n- " + heron + "\n- " + vault + "\n"
	w.write("MEMORY.md", broken)
	w.open()
	status, err := w.Status(t.Context())
	if err != nil || !strings.Contains(fmt.Sprint(status.Workspaces[0].Notices), "not finished") {
		t.Errorf("status: %+v %v", status.Workspaces[0].Notices, err)
	}
	if hits := w.search("vault code quokka"); len(hits) > 0 && hits[0].Text == vault || w.read("MEMORY.md") != broken {
		t.Errorf("%+v %q", hits, w.read("MEMORY.md"))
	}
	w.write("MEMORY.md", "- "+heron+"\n- "+vault+"\n")
	w.decide(about(memory.ActionPin, w.id(heron)))
	if names := w.left("4711zyzzyva"); len(names) > 0 {
		t.Errorf("left in %q", names)
	}
	if status, err = w.Status(t.Context()); err != nil || strings.Contains(fmt.Sprint(status.Workspaces[0].Notices), "not finished") {
		t.Errorf("status: %+v %v", status.Workspaces[0].Notices, err)
	}
}

func TestUndoPassesOverADestroying(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + vault + "\n"})
	w.decide(about(memory.ActionPin, w.id(heron)))
	w.decide(destroying(w.id(vault)))
	_, err := w.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionUndo})
	if !errors.Is(err, memory.ErrConflict) || !strings.Contains(err.Error(), "cannot be undone") || !w.state(heron).Pinned {
		t.Errorf("%v", err)
	}
	a := w.decide(memory.DecideRequest{Action: memory.ActionUndo, Count: 2})
	if w.state(heron).Pinned || len(a.Unchanged) != 1 || !strings.Contains(a.Unchanged[0].Reason, "cannot be undone") || a.Batch == "" {
		t.Errorf("%+v", a)
	}
}

// Many at once: every file is written once, and what is missing goes with
// --missing.
func TestDestroyingMany(t *testing.T) {
	files := map[string]string{"MEMORY.md": "- " + heron + "\n"}
	for f := range 5 {
		for i := range 60 {
			files[fmt.Sprintf("memory/f%d.md", f)] += fmt.Sprintf("- Parcel %d of shelf %d holds zyzzyva%dx%d and lamps\n", i, f, f, i)
		}
	}
	w := newReopenable(t, files)
	written := 0
	w.StopAfter(func(step string) error {
		if step == "file" {
			written++
		}
		return nil
	})
	var stages []string
	r := memory.DecideRequest{Action: memory.ActionDestroy, Filter: &memory.Filter{Path: "memory/f[0-3].md"}, All: true, Confirm: true,
		Progress: func(p memory.Progress) { stages = append(stages, p.Stage) }}
	a := w.decide(r)
	if len(a.Changed) != 240 || written != 4 || a.Scan.Found != 0 {
		t.Errorf("%d destroyed, %d files written, scan %d", len(a.Changed), written, a.Scan.Found)
	}
	for _, stage := range []string{"write", "sweep", "look"} {
		if !slices.Contains(stages, stage) {
			t.Errorf("nothing said of %s", stage)
		}
	}
	w.write("memory/f4.md", "")
	w.index()
	a = w.decide(memory.DecideRequest{Action: memory.ActionDestroy, Missing: true, Confirm: true})
	if len(a.Changed) != 60 || len(w.left("zyzzyva")) > 0 {
		t.Errorf("%d missing destroyed, left in %q", len(a.Changed), w.left("zyzzyva"))
	}
}
