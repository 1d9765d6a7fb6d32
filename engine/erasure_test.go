package engine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed/embedtest"
	"github.com/memory-tiered/memory/engine"
	"github.com/memory-tiered/memory/index/indextest"
	"github.com/memory-tiered/memory/internal/must"
)

// erasure is a receipt of destroy as its readers see it.
type erasure struct {
	State    string
	Residual int
	Memories []memory.ID
	Places   []struct {
		Place, Verdict, Advice string
		Before, After          *int
		Held, Holds            []string
	}
}

// verdicts returns each place with what a receipt says of it: the verdict, and how many had a
// text before and have it now.
func verdicts(t *testing.T, src json.RawMessage) (r erasure, said map[string]string) {
	t.Helper()
	if err := json.Unmarshal(src, &r); err != nil {
		t.Fatalf("%v: %s", err, src)
	}
	said = map[string]string{}
	count := func(n *int) string {
		if n == nil {
			return "?"
		}
		return fmt.Sprint(*n)
	}
	for _, p := range r.Places {
		said[p.Place] = p.Verdict + " " + count(p.Before) + " " + count(p.After)
		if (p.Verdict == "RESIDUAL" || p.Verdict == "UNREACHABLE") == (p.Advice == "") {
			t.Errorf("%s is %s, with the advice %q", p.Place, p.Verdict, p.Advice)
		}
	}
	if strings.Contains(string(src), "quokka") || strings.Contains(string(src), "4711zyzzyva") {
		t.Errorf("the receipt has the text: %s", src)
	}
	return r, said
}

// begin returns the request that destroys memories with a receipt, which it has begun.
func (w *world) begin(r memory.DecideRequest) memory.DecideRequest {
	w.t.Helper()
	preview := r
	preview.Preview, preview.Receipt = true, json.RawMessage("{}")
	r.Receipt = w.decide(preview).Receipt
	return r
}

func (w *world) lookAgain(receipt json.RawMessage) (erasure, map[string]string) {
	w.t.Helper()
	a := must.Get(w.Verify(w.t.Context(), memory.VerifyRequest{Receipt: receipt}, nil))(w.t)
	r, said := verdicts(w.t, a.Receipt)
	if a.Found != r.Residual {
		w.t.Errorf("found is %d, and the receipt has %d", a.Found, r.Residual)
	}
	return r, said
}

// mustWrite writes a file and its folders.
func mustWrite(t *testing.T, path, text string) {
	t.Helper()
	must.Do(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)))
}

type hostDirs []string

func (h hostDirs) HostDirs() []string { return h }

// spreadWorld has a text in every kind of place.
func spreadWorld(t *testing.T) (c *captureWorld, outside string) {
	outside = t.TempDir()
	client := filepath.Join(outside, "claude")
	c = newCaptureWorld(t, map[string]string{
		"MEMORY.md":                             "- " + heron + "\n- " + vault + "\n",
		"memory/a.md":                           "- " + owl + "\n",
		"drafts/other.md":                       "- " + vault + "\n",
		"memory/captured/2026-11-01.md":         "---\nsource: auto-capture\n---\n\n- " + vault + "\n",
		"memory/.dreams/short-term-recall.json": `{"text":"` + vault + `"}`,
	}, func(o *engine.Options) {
		o.StateDir = filepath.Dir(o.Workspaces[0].DBPath)
		o.Embedder = embedtest.Words{IsRemote: true}
		o.Hosts = hostDirs{filepath.Join(outside, "openclaw")}
		o.ClientDirs = map[string][]string{"claude-code": {client}}
	})
	state := filepath.Dir(c.db)
	c.git("init", "-q")
	c.commitAt("2026-11-20T10:00:00Z")
	must.Get(c.SetContext(t.Context(), memory.ContextRequest{Text: "Now: " + vault}))(t)
	export := must.Get(os.Create(filepath.Join(outside, "export.ndjson")))(t)
	must.Get(c.Export(t.Context(), memory.ExportRequest{WithText: true, File: export.Name(), Out: export}))(t)
	must.Do(t, errors.Join(export.Close(), c.Backup(t.Context())))
	c.restart()
	mustWrite(t, c.db+".corrupt-20261120-120000", vault)
	mustWrite(t, filepath.Join(state, "snapshots", "one", "MEMORY.md"), "- "+vault+"\n")
	mustWrite(t, filepath.Join(state, "service.log"), "the log repeats: "+vault)
	mustWrite(t, filepath.Join(outside, "openclaw", "agents", "main", "sessions", "s.jsonl"), `{"content":"`+vault+`"}`)
	mustWrite(t, filepath.Join(client, "projects", "-x", "s.jsonl"), `{"content":"`+vault+`"}`)
	mustWrite(t, filepath.Join(client, "projects", "-x", "memory", "MEMORY.md"), "- "+vault+"\n")
	return c, outside
}

// TestExportThatWasMovedHasNoBaseline moves an export with the text before the destroy.
func TestExportThatWasMovedHasNoBaseline(t *testing.T) {
	c, outside := spreadWorld(t)
	must.Do(t, os.Rename(filepath.Join(outside, "export.ndjson"), filepath.Join(outside, "moved.ndjson")))
	a := c.decide(c.begin(memory.DecideRequest{Action: memory.ActionDestroy, Query: vault, Confirm: true}))
	_, said := verdicts(t, a.Receipt)
	if _, again := c.lookAgain(a.Receipt); !strings.HasPrefix(said["exports"], "NO BASELINE") || !strings.HasPrefix(again["exports"], "NO BASELINE") {
		t.Errorf("the moved export is %s, and later %s", said["exports"], again["exports"])
	}
}

func TestReceiptSaysOfEachPlaceWhetherTheTextIsThere(t *testing.T) {
	c, outside := spreadWorld(t)
	state := filepath.Dir(c.db)
	request := c.begin(memory.DecideRequest{Action: memory.ActionDestroy, Query: vault, Confirm: true})
	r, said := verdicts(t, request.Receipt)
	if r.State != "kept" || len(r.Memories) != 2 || said["Markdown"] != "RESIDUAL 2 ?" {
		t.Errorf("the receipt begins with %+v, %v", r, said)
	}
	a := c.decide(request)
	want := map[string]string{
		"Markdown": "RESIDUAL 2 1", "captured files": "ERASED 1 0", "tables": "ERASED 3 0", "database pages": "ERASED 1 0", "write-ahead log": "ERASED 1 0",
		"backup": "ERASED 1 0", "database copies": "ERASED 1 0", "snapshots": "RESIDUAL 1 1", "other state files": "RESIDUAL 1 1",
		"exports": "RESIDUAL 1 1", "git history": "UNREACHABLE 4 4", "OpenClaw's recalls": "UNREACHABLE 1 1", "OpenClaw's stores": "UNREACHABLE 1 1",
		"conversations of claude-code": "UNREACHABLE 1 1", "memories of claude-code": "UNREACHABLE 1 1", "embedding server": "UNREACHABLE 1 1",
		"elsewhere": "UNREACHABLE ? ?",
	}
	r, said = verdicts(t, a.Receipt)
	compare := func(when string) {
		t.Helper()
		for place := range want {
			if said[place] != want[place] {
				t.Errorf("%s: %s is %q, want %q", when, place, said[place], want[place])
			}
		}
		if len(said) != len(want) || r.State != "destroyed" {
			t.Errorf("%s: %s, places %v", when, r.State, said)
		}
	}
	compare("after the destroy")
	if r, said = c.lookAgain(a.Receipt); r.Residual != 4 {
		t.Errorf("%d places are residual", r.Residual)
	}
	compare("by hashes")

	c.write("drafts/other.md", "- "+owl+"\n")
	c.write("memory/captured/2026-11-01.md", "---\nsource: auto-capture\n---\n\n- "+strings.ReplaceAll(vault, " ", "\n  ")+"\n")
	must.Do(t, errors.Join(os.RemoveAll(filepath.Join(state, "snapshots")), os.Remove(filepath.Join(state, "service.log")),
		os.Remove(filepath.Join(outside, "export.ndjson")), os.RemoveAll(filepath.Join(c.dir, ".git")), os.RemoveAll(filepath.Join(outside, "claude"))))
	want["Markdown"], want["captured files"], want["snapshots"], want["other state files"], want["exports"] = "ERASED 2 0", "RESIDUAL 1 1", "ERASED 1 0", "ERASED 1 0", "NO BASELINE 1 0"
	want["git history"], want["conversations of claude-code"], want["memories of claude-code"] = "NO BASELINE 4 0", "NO BASELINE 1 0", "NO BASELINE 1 0"
	r, said = c.lookAgain(a.Receipt)
	compare("later")
	for _, p := range r.Places {
		if p.Place == "captured files" && !slices.Equal(p.Holds, []string{filepath.Join(c.dir, "memory", "captured", "2026-11-01.md")}) {
			t.Errorf("the text came back, and the receipt names %q", p.Holds)
		}
	}
}

// A receipt tells of a server that its tables lack the text, and that nobody looked at its files.
func TestReceiptOnAServerNamesWhatNobodyLookedAt(t *testing.T) {
	indextest.UseServer(t)
	c, _ := spreadWorld(t)
	a := c.decide(c.begin(memory.DecideRequest{Action: memory.ActionDestroy, Query: vault, Confirm: true}))
	_, said := verdicts(t, a.Receipt)
	_, again := c.lookAgain(a.Receipt)
	for place, want := range map[string]string{"tables": "ERASED 3 0", "database server": "UNREACHABLE ? ?", "database copies": "ERASED 1 0",
		"database pages": "", "write-ahead log": "", "backup": ""} {
		if said[place] != want || again[place] != want {
			t.Errorf("%s is %q and later %q, want %q", place, said[place], again[place], want)
		}
	}
	for text, want := range map[string]bool{owl: true, vault: false} {
		answer, err := c.Verify(t.Context(), memory.VerifyRequest{Text: text}, nil)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(answer.Checked, func(p memory.CheckedPlace) bool { return strings.HasPrefix(p.File, "tables of ") })
		if i < 0 || answer.Checked[i].Found != want {
			t.Errorf("verify %q looked at the tables: %v", text, answer.Checked)
		}
	}
}

// Who deletes a file in a folder that is looked at has erased its text. A file or a folder that
// is not where it was may have been moved.
func TestReceiptTellsDeletedFromGone(t *testing.T) {
	c, outside := spreadWorld(t)
	receipt := c.decide(c.begin(memory.DecideRequest{Action: memory.ActionDestroy, Query: vault, Confirm: true})).Receipt
	must.Do(t, errors.Join(os.Remove(filepath.Join(outside, "claude", "projects", "-x", "s.jsonl")),
		os.Rename(filepath.Join(outside, "export.ndjson"), filepath.Join(outside, "moved.ndjson")),
		os.Rename(filepath.Join(outside, "openclaw"), filepath.Join(outside, "other"))))
	want := map[string]string{"conversations of claude-code": "ERASED 1 0", "memories of claude-code": "UNREACHABLE 1 1", "exports": "NO BASELINE 1 0",
		"OpenClaw's stores": "NO BASELINE 1 0", "OpenClaw's recalls": "UNREACHABLE 1 1", "tables": "ERASED 3 0"}
	_, said := c.lookAgain(receipt)
	for place := range want {
		if said[place] != want[place] {
			t.Errorf("%s is %q, want %q", place, said[place], want[place])
		}
	}
}

// An index that knows nothing of a destroy says nothing about the index that did it.
func TestReceiptAfterTheLossOfTheIndex(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + vault + "\n"})
	receipt := w.decide(w.begin(destroyRequest(w.idOf(vault)))).Receipt
	w.db = filepath.Join(t.TempDir(), "tiered.db")
	must.Do(t, w.Close())
	w.open()
	if r, said := w.lookAgain(receipt); r.State != "unknown" || said["tables"] != "NO BASELINE 2 0" || said["Markdown"] != "ERASED 1 0" {
		t.Errorf("%s, %v", r.State, said)
	}
}

func TestPlaceThatCannotBeReadHasNoBaseline(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + vault + "\n"})
	w.git("init", "-q")
	w.commitAt("2026-11-20T10:00:00Z")
	must.Do(t, errors.Join(os.RemoveAll(filepath.Join(w.dir, ".git", "objects")), os.WriteFile(filepath.Join(w.dir, ".git", "config"), []byte("[core"), 0o600)))
	request := w.begin(destroyRequest(w.idOf(vault)))
	if _, said := verdicts(t, w.decide(request).Receipt); said["git history"] != "NO BASELINE 0 0" || said["Markdown"] != "ERASED 1 0" {
		t.Errorf("places %v", said)
	}
}

// TestReceiptIsAboutFilesThatAreNeverIndexed: those that are hidden or no Markdown, and what git
// keeps beside its objects and below the workspace.
func TestReceiptIsAboutFilesThatAreNeverIndexed(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- " + vault + "\n- " + owl + "\n", ".trash/a.md": vault, "plain.txt": vault, ".git/COMMIT_EDITMSG": vault, "below/.git/MERGE_MSG": vault})
	_, said := verdicts(t, w.decide(w.begin(destroyRequest(w.idOf(vault)))).Receipt)
	if said["Markdown"] != "RESIDUAL 3 2" || said["git history"] != "UNREACHABLE 2 2" {
		t.Errorf("%q", said)
	}
}

// A destroy stops, and a later start finishes it. What a receipt says is true at each time.
func TestReceiptOfAnInterruptedDestroyTellsTheTruth(t *testing.T) {
	for step, want := range map[string]string{"begin": "RESIDUAL 1 1", "tables": "ERASED 1 0"} {
		t.Run(step, func(t *testing.T) {
			w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + vault + "\n"})
			must.Do(t, w.Backup(t.Context()))
			request := w.begin(destroyRequest(w.idOf(vault)))
			w.StopAfter(func(at string) error {
				if at == step {
					return errStopped
				}
				return nil
			})
			if _, err := w.Decide(t.Context(), request); !errors.Is(err, errStopped) {
				t.Fatal(err)
			}
			if r, said := w.lookAgain(request.Receipt); r.State != "unfinished" || said["Markdown"] != want || said["backup"] != "RESIDUAL 1 1" {
				t.Errorf("while it is interrupted: %s, %v", r.State, said)
			}
			must.Do(t, w.Close())
			w.open()
			if r, said := w.lookAgain(request.Receipt); r.State != "destroyed" || r.Residual != 0 || said["Markdown"] != "ERASED 1 0" || said["backup"] != "ERASED 1 0" {
				t.Errorf("when it is finished: %s, %v", r.State, said)
			}
		})
	}
}

func TestReceiptIsForExactlyTheseMemories(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + vault + "\n- " + owl + "\n"})
	request := w.begin(destroyRequest(w.idOf(vault)))
	request.IDs = append(request.IDs, string(w.idOf(owl)))
	if _, err := w.Decide(t.Context(), request); !errors.Is(err, memory.ErrConflict) || !strings.Contains(err.Error(), "nothing was destroyed") {
		t.Errorf("another memory is destroyed too: %v", err)
	}
	if r, said := w.lookAgain(request.Receipt); r.State != "kept" || said["Markdown"] != "RESIDUAL 1 1" {
		t.Errorf("%s, %v", r.State, said)
	}
	for name, r := range map[string]memory.DecideRequest{
		"forget":      {Action: memory.ActionForget, IDs: request.IDs, Receipt: request.Receipt},
		"no receipt":  {Action: memory.ActionDestroy, IDs: request.IDs, Confirm: true, Receipt: json.RawMessage(`{"format":"other"}`)},
		"without key": {Action: memory.ActionDestroy, IDs: request.IDs, Confirm: true, Receipt: json.RawMessage(`{"format":"memory-erasure/1"}`)},
	} {
		if _, err := w.Decide(t.Context(), r); !errors.Is(err, memory.ErrInvalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := w.Decide(t.Context(), memory.DecideRequest{Action: memory.ActionDestroy, IDs: request.IDs, Preview: true, For: memory.AudienceModel, Receipt: json.RawMessage("{}")}); !errors.Is(err, memory.ErrForbidden) {
		t.Errorf("a receipt for a model: %v", err)
	}
	for _, sender := range []memory.VerifyRequest{{Receipt: request.Receipt, For: memory.AudienceModel}, {Receipt: request.Receipt, Sender: memory.Sender{User: "lena"}}} {
		if _, err := w.Verify(t.Context(), sender, nil); !errors.Is(err, memory.ErrForbidden) {
			t.Errorf("%+v: %v", sender.Sender, err)
		}
	}
}

// The tables have a text that is longer than a page as one.
func TestReceiptFindsALongTextAndOneWithSignsBetweenItsWords(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("The tide gauge of the quokka office counts every wave. ", 200))
	const signs = `Lena prefers tea > coffee and \newline over quokka breaks`
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n\n" + long + "\n\n- " + signs + "\n"})
	edited := w.find(signs)
	must.Get(w.Edit(t.Context(), memory.EditRequest{ID: string(edited.ID), Was: edited.Text, Text: edited.Text + " today"}))(t)
	request := w.begin(destroyRequest(w.idOf(long), w.idOf(signs+" today")))
	r, _ := verdicts(t, request.Receipt)
	for _, p := range r.Places {
		if p.Place == "tables" && !slices.Equal(p.Held, []string{"chunks", "edits", "memories"}) {
			t.Errorf("the texts are in %q", p.Held)
		}
	}
	a := w.decide(request)
	if _, said := w.lookAgain(a.Receipt); said["tables"] != "ERASED 3 0" || said["Markdown"] != "ERASED 1 0" {
		t.Errorf("places %v", said)
	}
	if names := w.filesContaining("prefers tea"); len(names) > 0 {
		t.Errorf("the text with signs is in %q", names)
	}
}
