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
	"github.com/memory-tiered/memory/internal/must"
)

const vault = "The vault code of the quokka office is 4711zyzzyva"

func destroyRequest(ids ...memory.ID) memory.DecideRequest {
	r := memory.DecideRequest{Action: memory.ActionDestroy, Confirm: true}
	for _, id := range ids {
		r.IDs = append(r.IDs, string(id))
	}
	return r
}

// filesContaining lists the files with this text, in the workspace and beside the
// database.
func (w *reopenable) filesContaining(text string) (names []string) {
	w.t.Helper()
	for _, dir := range []string{w.dir, filepath.Dir(w.db)} {
		must.Do(w.t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			src, err := os.ReadFile(path)
			if strings.Contains(string(src), text) {
				names = append(names, filepath.Base(path))
			}
			return err
		}))
	}
	return names
}

func TestDestroyRemovesOnlyTheTextsOwnLines(t *testing.T) {
	const secret = "- " + vault
	tests := []struct{ name, before, after string }{
		{"bullet", "# Keys\n\n- one is here\n" + secret + "\n- two is here\n", "# Keys\n\n- one is here\n- two is here\n"},
		{"with annotations", "- one is here\n" + secret + " <!-- importance: 9 --> #key ^id1\n- two is here\n", "- one is here\n- two is here\n"},
		{"last line without a line end", "- one is here\n" + secret, "- one is here\n"},
		{"whole file", secret + "\n", ""},
		{"CRLF", "- one is here\r\n" + secret + "\r\n- two is here\r\n", "- one is here\r\n- two is here\r\n"},
		{"byte order mark", "\xef\xbb\xbf" + secret + "\n- one is here\n", "\xef\xbb\xbf- one is here\n"},
		{"paragraph", "one is here\n\n" + vault + "\n\ntwo is here\n", "one is here\n\n\ntwo is here\n"},
		{"wrapped", "- one is here\n- The vault code of the\n  quokka office is 4711zyzzyva\n- two is here\n", "- one is here\n- two is here\n"},
		{"block quote", "one is here\n\n> " + vault + "\n\ntwo is here\n", "one is here\n\n\ntwo is here\n"},
		{"two copies", secret + "\n- one is here\n" + secret + "\n", "- one is here\n"},
		{"between two numbered lists", "1. one is here\n\n" + vault + "\n\n1. two is here\n", "1. one is here\n\n<!-- -->\n\n1. two is here\n"},
		{"above a rule", vault + "\n***\n\n- one is here\n", "***\n\n- one is here\n"},
		{"above text that is no front matter", secret + "\n---\ntier: cold\n\n---\n- one is here\n", "\n---\ntier: cold\n\n---\n- one is here\n"},
		{"front matter stays", "---\ntier: warm # mine\n---\n" + secret + "\n- one is here\n", "---\ntier: warm # mine\n---\n- one is here\n"},
		{"TOML stays", "+++\ntier = \"warm\"\n+++\n" + secret + "\n- one is here\n", "+++\ntier = \"warm\"\n+++\n- one is here\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newReopenable(t, map[string]string{"memory/a.md": tt.before, "MEMORY.md": "- " + heron + "\n"})
			a := w.decide(memory.DecideRequest{Action: memory.ActionDestroy, Query: vault, Confirm: true})
			if got := w.read("memory/a.md"); got != tt.after {
				t.Errorf("the file is %q, want %q", got, tt.after)
			}
			if a.Scan.Found != 0 || len(w.filesContaining("4711zyzzyva")) > 0 {
				t.Errorf("the text is left in %q; scan %+v", w.filesContaining("4711zyzzyva"), a.Scan)
			}
			if got := w.read("MEMORY.md"); got != "- "+heron+"\n" {
				t.Errorf("another file changed to %q", got)
			}
		})
	}
}

// Other memories keep their decisions.
func TestDestroyRemovesCopiesAndEntries(t *testing.T) {
	w := newReopenable(t, map[string]string{
		"MEMORY.md":     "- " + heron + "\n- " + vault + "\n",
		"memory/a.md":   "# Elsewhere\n\n- " + vault + "\n",
		"memory/old.md": "- " + owl + "\n",
	})
	first := w.idOf(vault)
	must.Get(w.SetContext(t.Context(), memory.ContextRequest{Text: "Now: " + vault}))(t)
	w.decide(decideRequest(memory.ActionPin, w.idOf(heron)))
	w.decide(decideRequest(memory.ActionForget, first))
	must.Do(t, w.Backup(t.Context()))
	setAside := w.db + ".corrupt-20261120-120000"
	must.Do(t, os.WriteFile(setAside, []byte(vault), 0o600))
	for _, name := range []string{".tiered.backup.db.memory-123", ".tiered.forgotten.memory-456"} {
		must.Do(t, os.WriteFile(filepath.Join(filepath.Dir(w.db), name), []byte(vault), 0o600))
	}
	preview := destroyRequest(first)
	preview.Preview = true
	if a := w.decide(preview); len(a.Changed) != 2 || a.Changed[0].ID != first || a.Changed[0].Text != vault {
		t.Errorf("preview: %+v", a.Changed)
	}

	a := w.decide(destroyRequest(first))
	if len(a.Changed) != 2 || a.Changed[0].Text != "" || a.Scan == nil || a.Scan.Found != 0 || !slices.Contains(a.Unreachable, "git history") {
		t.Errorf("answer %+v", a)
	}
	for _, what := range []string{vault, "4711zyzzyva", "quokka"} {
		if names := w.filesContaining(what); len(names) > 0 {
			t.Errorf("%q is left in %q", what, names)
		}
	}
	if _, err := os.Stat(setAside); err == nil || !strings.Contains(fmt.Sprint(a.Notices), "corrupt-") {
		t.Errorf("the database that was set setAside: %v; notices %q", err, a.Notices)
	}
	if got := w.read("MEMORY.md"); strings.Count(got, "\n") != 5 || !strings.Contains(got, "pinned: true") {
		t.Errorf("the other memory's entry: %q", got)
	}
	if _, err := w.Show(t.Context(), memory.ShowRequest{ID: string(first)}); !errors.Is(err, memory.ErrNotFound) {
		t.Errorf("Show still finds the memory: %v", err)
	}
	audit, err := w.Audit(t.Context(), memory.AuditRequest{ID: string(first)})
	if err != nil || audit.Total != 2 || audit.Audit[0].Action != "destroy" || strings.Contains(fmt.Sprint(audit), "said") {
		t.Errorf("audit: %+v %v", audit, err)
	}

	// If the text is written again, it is not indexed.
	w.write("memory/b.md", "- "+vault+"\n")
	w.index()
	if list := w.listPath("memory/b.md"); len(list) > 0 || !slices.Equal(w.filesContaining("quokka"), []string{"b.md"}) {
		t.Errorf("written again: %+v, and found in %q", list, w.filesContaining("quokka"))
	}
}

func TestDestroyIsRefusedBeforeAnyChange(t *testing.T) {
	text := "- " + vault + "\n- " + heron + "\n"
	tests := []struct {
		name, text string
		mode       os.FileMode
	}{
		{"no write bit", text, 0o444},
		{"broken YAML", "---\ntier: [warm\n---\n" + text, 0o644},
		{"Latin-1, of which little is left", "# K\xfcche\n\n- \xfcber T\xfcr\n- Gr\xf6\xdfe: \xe4\n- " + vault + "\n", 0o644},
		{"conflict markers", text + "<<<<<<< a\n- x\n=======\n- y\n>>>>>>> b\n", 0o644},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newReopenable(t, map[string]string{"MEMORY.md": text, "memory/copy.md": "- " + vault + "\n"})
			id := w.idOf(vault)
			w.write("MEMORY.md", tt.text)
			must.Do(t, os.Chmod(filepath.Join(w.dir, "MEMORY.md"), tt.mode))
			_, err := w.Decide(t.Context(), destroyRequest(id))
			if !errors.Is(err, memory.ErrConflict) {
				t.Errorf("%v", err)
			}
			if w.read("MEMORY.md") != tt.text || w.read("memory/copy.md") != "- "+vault+"\n" || w.find(vault).Forgotten {
				t.Errorf("the refused destroy changed something: %q %+v", w.read("MEMORY.md"), w.find(vault))
			}
		})
	}
	w := newReopenable(t, map[string]string{"MEMORY.md": text})
	for field, r := range map[string]memory.DecideRequest{
		"confirm": {Action: memory.ActionDestroy, IDs: []string{string(w.idOf(vault))}},
		"only":    {Action: memory.ActionDestroy, IDs: []string{string(w.idOf(vault))}, Confirm: true, Only: true},
		"missing": {Action: memory.ActionForget, Missing: true},
		"ids":     {Action: memory.ActionDestroy, Confirm: true},
	} {
		_, err := w.Decide(t.Context(), r)
		if wrong := (*memory.Error)(nil); !errors.As(err, &wrong) || wrong.Field != field || wrong.Hint == "" {
			t.Errorf("field %s: %v", field, err)
		}
	}
	if w.read("MEMORY.md") != text {
		t.Error("the refused requests changed the file")
	}
}

// A short text under another heading is another memory. It keeps its id, its state
// and its place.
func TestDestroyKeepsAShortTextUnderAnotherHeading(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "# Database\n\n- Port 5432\n\n# Printer\n\n- Port 5432\n"})
	list, err := w.List(t.Context(), memory.ListRequest{Sort: "path"})
	if err != nil || len(list.Memories) != 2 {
		t.Fatal(list, err)
	}
	first, second := list.Memories[0], list.Memories[1]
	w.decide(decideRequest(memory.ActionPin, second.ID))
	a := w.decide(destroyRequest(first.ID))
	if a.Scan.Found == 0 || !strings.Contains(fmt.Sprint(a.Notices), second.ID.Short()) {
		t.Errorf("the answer does not report the same words elsewhere: %+v", a)
	}
	m := w.find("Port 5432")
	if m.ID != second.ID || !m.Pinned || m.Forgotten || strings.Contains(w.read("MEMORY.md"), "# Database\n\n- ") {
		t.Errorf("the other memory: %+v\n%s", m, w.read("MEMORY.md"))
	}
}

// errStopped is the error of a destroy that a test stops.
var errStopped = errors.New("stopped by the test")

// The next start finishes a destroy from whatever step it reached.
func TestInterruptedDestroyIsFinishedAtStart(t *testing.T) {
	for _, step := range []string{"begin", "file", "file 2", "file 3", "index", "tables", "sweep", "copies"} {
		t.Run(step, func(t *testing.T) {
			w := newReopenable(t, map[string]string{
				"MEMORY.md":   "- " + heron + "\n- " + vault + "\n",
				"memory/a.md": "- " + vault + "\n- " + owl + "\n",
				"memory/b.md": "# B\n\n- " + vault + "\n",
			})
			kept := map[string]memory.ID{heron: w.idOf(heron), owl: w.idOf(owl)}
			w.decide(decideRequest(memory.ActionPin, kept[owl]))
			id := w.idOf(vault)
			must.Do(t, w.Backup(t.Context()))
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
			if _, err := w.Decide(t.Context(), destroyRequest(id)); !errors.Is(err, errStopped) {
				t.Fatalf("destroy was not stopped: %v", err)
			}
			if hits := w.search("vault code quokka"); len(hits) > 0 && hits[0].Text == vault {
				t.Error("search finds the half-destroyed text")
			}
			must.Do(t, w.Close())
			w.open()
			for _, what := range []string{vault, "4711zyzzyva", "quokka"} {
				if names := w.filesContaining(what); len(names) > 0 {
					t.Errorf("%q is left in %q", what, names)
				}
			}
			if _, err := w.Show(t.Context(), memory.ShowRequest{ID: string(id)}); !errors.Is(err, memory.ErrNotFound) {
				t.Errorf("Show still finds the memory: %v", err)
			}
			audit, err := w.Audit(t.Context(), memory.AuditRequest{Action: "destroy"})
			if err != nil || audit.Total != 3 {
				t.Errorf("the audit has %d rows, %v", audit.Total, err)
			}
			for text, id := range kept {
				if w.find(text).ID != id {
					t.Errorf("%q has another id now", text)
				}
			}
			if !w.find(owl).Pinned || w.find(heron).Forgotten {
				t.Error("the state of another memory changed")
			}
			if w.read("MEMORY.md") != "- "+heron+"\n" {
				t.Errorf("MEMORY.md is %q", w.read("MEMORY.md"))
			}
		})
	}
}

// A text that is to be destroyed moves to another file, or is edited, before the next
// start. It is destroyed where it is; an edited one is kept, and stays forgotten.
func TestTextThatChangesBeforeItsDestroyIsFinished(t *testing.T) {
	for name, changed := range map[string]map[string]string{
		"moved":  {"MEMORY.md": "- " + heron + "\n", "memory/new.md": "- " + owl + "\n- " + vault + "\n"},
		"edited": {"MEMORY.md": "- " + heron + "\n- " + vault + " tomorrow\n"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + vault + "\n"})
			id := w.idOf(vault)
			w.StopAfter(func(string) error { return errStopped })
			if _, err := w.Decide(t.Context(), destroyRequest(id)); !errors.Is(err, errStopped) {
				t.Fatal(err)
			}
			must.Do(t, w.Close())
			for path, text := range changed {
				w.write(path, text)
			}
			w.open()
			w.index()
			if hits := w.search("vault code quokka"); len(hits) > 0 && strings.HasPrefix(hits[0].Text, vault) {
				t.Errorf("search finds %+v", hits[0])
			}
			status, err := w.Status(t.Context())
			if err != nil || strings.Contains(fmt.Sprint(status.Workspaces[0].Notices), "not finished") {
				t.Errorf("status: %+v %v", status.Workspaces[0].Notices, err)
			}
			left := w.filesContaining("4711zyzzyva")
			if name == "moved" && len(left) > 0 {
				t.Errorf("the text is left in %q", left)
			}
			if name == "edited" && (!strings.Contains(w.read("MEMORY.md"), vault+" tomorrow") || !w.find(vault+" tomorrow").Forgotten) {
				t.Errorf("the edited text is not kept and forgotten: %q", w.read("MEMORY.md"))
			}
			if notices := fmt.Sprint(status.Workspaces[0].Notices); strings.Contains(notices, "was to be destroyed") != (name == "edited") {
				t.Errorf("status: %s", notices)
			}
			audit, err := w.Audit(t.Context(), memory.AuditRequest{Source: "file", Action: "forget"})
			if err != nil || audit.Total != map[string]int{"moved": 0, "edited": 1}[name] {
				t.Errorf("the audit has %d forgotten memories, %v", audit.Total, err)
			}
		})
	}
}

// Meanwhile the workspace is served, the text stays forgotten and status reports
// the reason. The next decision continues.
func TestUnfinishedDestroyIsReportedAndRetried(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + vault + "\n"})
	id := w.idOf(vault)
	w.StopAfter(func(string) error { return errStopped })
	if _, err := w.Decide(t.Context(), destroyRequest(id)); !errors.Is(err, errStopped) {
		t.Fatal(err)
	}
	must.Do(t, w.Close())
	broken := "---\ntier: [warm\n---\n- " + heron + "\n- " + vault + "\n"
	w.write("MEMORY.md", broken)
	w.open()
	status, err := w.Status(t.Context())
	if err != nil || !strings.Contains(fmt.Sprint(status.Workspaces[0].Notices), "not finished") {
		t.Errorf("status: %+v %v", status.Workspaces[0].Notices, err)
	}
	if hits := w.search("vault code quokka"); len(hits) > 0 && hits[0].Text == vault || w.read("MEMORY.md") != broken {
		t.Errorf("search finds %+v; the file is %q", hits, w.read("MEMORY.md"))
	}
	w.write("MEMORY.md", "- "+heron+"\n- "+vault+"\n")
	w.decide(decideRequest(memory.ActionPin, w.idOf(heron)))
	if names := w.filesContaining("4711zyzzyva"); len(names) > 0 {
		t.Errorf("the text is left in %q", names)
	}
	if status, err = w.Status(t.Context()); err != nil || strings.Contains(fmt.Sprint(status.Workspaces[0].Notices), "not finished") {
		t.Errorf("status: %+v %v", status.Workspaces[0].Notices, err)
	}
}

func TestUndoSkipsDestroy(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + vault + "\n"})
	w.decide(decideRequest(memory.ActionPin, w.idOf(heron)))
	w.decide(destroyRequest(w.idOf(vault)))
	_, err := w.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionUndo})
	if !errors.Is(err, memory.ErrConflict) || !strings.Contains(err.Error(), "cannot be undone") || !w.find(heron).Pinned {
		t.Errorf("%v", err)
	}
	a := w.decide(memory.DecideRequest{Action: memory.ActionUndo, Count: 2})
	if w.find(heron).Pinned || len(a.Unchanged) != 1 || !strings.Contains(a.Unchanged[0].Reason, "cannot be undone") || a.Batch == "" {
		t.Errorf("undo of two commands: %+v", a)
	}
}

// Then missing memories are destroyed with missing.
func TestDestroyManyWritesEachFileOnce(t *testing.T) {
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
		t.Errorf("%d destroyed, %d files written, scan found %d", len(a.Changed), written, a.Scan.Found)
	}
	for _, stage := range []string{"write", "sweep", "look"} {
		if !slices.Contains(stages, stage) {
			t.Errorf("no progress of stage %s", stage)
		}
	}
	w.write("memory/f4.md", "")
	w.index()
	a = w.decide(memory.DecideRequest{Action: memory.ActionDestroy, Missing: true, Confirm: true})
	if len(a.Changed) != 60 || len(w.filesContaining("zyzzyva")) > 0 {
		t.Errorf("%d missing memories destroyed, the text is left in %q", len(a.Changed), w.filesContaining("zyzzyva"))
	}
}

func TestDestroyedTextCannotBeStoredAgain(t *testing.T) {
	for _, text := range []string{vault, "alarm code 4711zyzzyva"} { // a long text, and one of less than six words
		w := newReopenable(t, map[string]string{"MEMORY.md": "- " + text + "\n- one is here\n"})
		w.decide(destroyRequest(w.idOf(text)))
		if _, err := w.Store(t.Context(), memory.StoreRequest{Text: text, Force: true}); !errors.Is(err, memory.ErrConflict) {
			t.Errorf("store: %v", err)
		}
		if names := w.filesContaining(text); len(names) > 0 {
			t.Errorf("%v contain the destroyed text", names)
		}
	}
}

// Nobody has seen what a query found when the request confirms it at once.
func TestQueryThatFitsBadlyDestroysNothing(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + vault + "\n- the kitchen has a new kettle\n"})
	r := memory.DecideRequest{Action: memory.ActionDestroy, Query: "vault code of my bank", Confirm: true}
	if answer, err := w.Decide(t.Context(), r); !errors.Is(err, memory.ErrConflict) || !strings.Contains(err.Error(), "not surely") {
		t.Errorf("destroyed %v: %v", answer.Changed, err)
	}
	r.Query = "vault code of the quokka office"
	if answer := w.decide(r); len(answer.Changed) != 1 {
		t.Errorf("a query that fits well: %+v", answer)
	}
}

// TestDestroyedTextReturnsInNoField writes a destroyed text again as each field that the index has.
func TestDestroyedTextReturnsInNoField(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + vault + "\n- one is here\n"})
	w.decide(destroyRequest(w.idOf(vault)))
	for name, src := range map[string]string{"text": "- TEXT\n", "heading": "# TEXT\n\n- a\n", "heading above": "# A\n\n## TEXT\n\n### B\n\n- a\n", "underlined heading": "TEXT\n===\n\n- a\n",
		"property": "---\nnote: TEXT\n---\n- a\n", "property in a list": "---\nnotes: [a, TEXT]\n---\n- a\n", "property's key": "---\n\"TEXT\": a\n---\n- a\n", "alias": "---\naliases: [TEXT]\n---\n- a\n",
		"tag": "- a <!-- tags: TEXT -->\n", "tag of the file": "---\ntags: [x, TEXT]\n---\n- a\n", "trigger": "- a <!-- trigger: TEXT -->\n", "scope": "- a <!-- scope: TEXT -->\n",
		"scope of the file": "---\nscope: TEXT\n---\n- a\n", "scope of a line": "---\nmemories:\n  - {quote: \"a\", scope: \"TEXT\"}\n---\n- a\n", "source": "- a <!-- source: TEXT -->\n",
		"quote": "---\nmemories:\n  - {quote: \"TEXT\", pinned: true}\n---\n- a\n", "lead-in": "TEXT\n\n- a\n"} {
		w.write("memory/again.md", strings.ReplaceAll(src, "TEXT", vault))
		w.index()
		if found := w.filesContaining(vault); !slices.Equal(found, []string{"again.md"}) {
			t.Errorf("%s: the text is in %q", name, found)
		}
		if status, err := w.Status(t.Context()); err != nil || name != "quote" && !strings.Contains(fmt.Sprint(status.Workspaces[0].Faults), "this text was destroyed") {
			t.Errorf("%s: %+v, %v", name, status.Workspaces[0].Faults, err)
		}
	}
}
