package engine_test

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

func (w *world) servedFile(path string) memory.ServedFile {
	w.t.Helper()
	answer := must.Get(w.Files(w.t.Context(), memory.FilesRequest{Paths: []string{path}}))(w.t)
	return answer.Files[0]
}

// A copy that was restored alone is served, and the others are not.
func TestServedFilesAreRedactedMemoryByMemory(t *testing.T) {
	const same = "- " + heron + "\n"
	w := newReopenable(t, map[string]string{"MEMORY.md": "# Birds\n\n- first line of all\n" + same + same + "- " + owl + "\n",
		"memory/a.md": same, "memory/q.md": "---\ntrust: quarantined\n---\n- somebody else wrote this line\n"})
	count := func(path string) int { return strings.Count(w.servedFile(path).Content, heron) }
	w.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(w.listPath("memory/a.md")[0].ID)}})
	if count("MEMORY.md") != 0 || count("memory/a.md") != 0 || w.servedFile("MEMORY.md").Redacted != 2 {
		t.Fatalf("after forget: %+v", w.servedFile("MEMORY.md"))
	}
	second := w.listForgotten("MEMORY.md")[1]
	w.decide(memory.DecideRequest{Action: memory.ActionRestore, IDs: []string{string(second.ID)}, Only: true})
	if count("MEMORY.md") != 1 || count("memory/a.md") != 0 || w.servedFile("MEMORY.md").Redacted != 1 {
		t.Errorf("after restoring one copy: %+v, %+v", w.servedFile("MEMORY.md"), w.servedFile("memory/a.md"))
	}
	if !strings.Contains(w.servedFile("MEMORY.md").Content, owl) {
		t.Error("the owl was redacted too")
	}
	w.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(w.idOf(owl))}, Only: true})
	w.write("memory/late.md", "- "+owl+"\n")
	if !strings.Contains(w.servedFile("memory/late.md").Content, owl) {
		t.Error("a copy of a text forgotten with only is not served")
	}
	if f := w.servedFile("memory/q.md"); f.Redacted != 1 || strings.Contains(f.Content, "somebody") {
		t.Errorf("quarantined: %+v", f)
	}
}

// A host needs one request a turn. What it edited counts in the same request.
func TestRecallReturnsTheRequestedFiles(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + owl + "\n"})
	w.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(w.idOf(heron))}})
	w.write("MEMORY.md", w.read("MEMORY.md")+"- the lighthouse needs a new lamp\n")
	answer := must.Get(w.Recall(t.Context(), memory.RecallRequest{Prompt: "what does the lighthouse need?", Files: []string{"MEMORY.md", "USER.md"}}))(t)
	if len(answer.Files) != 2 || !slices.Equal(answer.Files, []memory.ServedFile{w.servedFile("MEMORY.md"), w.servedFile("USER.md")}) {
		t.Fatalf("files: %+v", answer.Files)
	}
	file := answer.Files[0]
	if want := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(w.read("MEMORY.md")))); file.Hash != want || answer.Files[1].Hash != "" {
		t.Errorf("the hashes are %q and %q, want %q and none", file.Hash, answer.Files[1].Hash, want)
	}
	if strings.Contains(file.Content, heron) || !strings.Contains(file.Content, owl) || answer.Folder != w.dir {
		t.Errorf("folder %s, file %+v", answer.Folder, file)
	}
	if !strings.Contains(answer.Context, "lighthouse needs a new lamp") {
		t.Errorf("the edit is not recalled: %q", answer.Context)
	}
	if _, err := w.Recall(t.Context(), memory.RecallRequest{Prompt: "lamp", Files: []string{"../secret.md"}}); err == nil {
		t.Error("a file outside the workspace is served")
	}
}

func (w *world) listPath(path string) []memory.Memory {
	w.t.Helper()
	return w.list(memory.ListRequest{Filter: memory.Filter{Path: path}, Properties: true})
}

func (w *world) listForgotten(path string) []memory.Memory {
	w.t.Helper()
	return w.list(memory.ListRequest{Filter: memory.Filter{Path: path, Forgotten: true}})
}

func (w *world) list(r memory.ListRequest) []memory.Memory {
	w.t.Helper()
	r.Sort = "path"
	a := must.Get(w.List(w.t.Context(), r))(w.t)
	return a.Memories
}

// servedWithout returns a served file, and fails if it contains one of the texts.
func (w *world) servedWithout(path string, texts ...string) memory.ServedFile {
	w.t.Helper()
	f := w.servedFile(path)
	for _, text := range texts {
		if strings.Contains(strings.ReplaceAll(f.Content, "\x00", ""), text) {
			w.t.Errorf("%s is served with %q:\n%s", path, text, f.Content)
		}
	}
	return f
}

func TestFileThatHasJustBeenEditedHidesItsForgottenMemories(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + owl + "\n"})
	w.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(w.idOf(heron))}})
	w.write("MEMORY.md", strings.Replace(w.read("MEMORY.md"), heron, heron+" still", 1))
	if f := w.servedWithout("MEMORY.md", heron); !strings.Contains(f.Content, owl) || f.Reason != "" {
		t.Errorf("served: %+v", f)
	}
}

func TestFileWithAMergeConflictHidesItsForgottenMemories(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "# Birds\n\n- " + owl + "\n- " + heron + "\n- boats need paint\n"})
	w.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(w.idOf(heron))}})
	w.write("MEMORY.md", strings.Replace(w.read("MEMORY.md"), "- boats need paint\n",
		"<<<<<<< HEAD\n- boats need old paint\n=======\n- boats need new paint\n>>>>>>> old\n", 1))
	for range 2 { // as the host asks first, and after the conflict is indexed
		if f := w.servedWithout("MEMORY.md", heron, "HEAD"); !strings.Contains(f.Content, owl) || f.Reason == "" {
			t.Errorf("served: %+v", f)
		}
		w.index()
	}
}

func TestFilesOfAWorkspaceThatIsNotScannedYetAreNotServed(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + owl + "\n", "memory/a.md": "- " + heron + "\n"})
	w.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(w.idOf(heron))}})
	must.Do(t, w.Close())
	w.db = filepath.Join(t.TempDir(), "tiered.db")
	w.openUnscanned()
	if f := w.servedWithout("MEMORY.md", heron, owl); f.Reason == "" {
		t.Errorf("before the scan: %+v", f)
	}
	w.index()
	if f := w.servedWithout("MEMORY.md", heron); !strings.Contains(f.Content, owl) {
		t.Errorf("after the scan: %+v", f)
	}
}

func TestPrivateFileGivesNothingToAModel(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "---\nprivate: true\ntitle: Heron diagnosis\n---\n# Heron cancer\n\n<!-- heron comment -->\n\n" +
		"- a bullet\n\n[ref]: http://heron.example\n"})
	if f := w.servedFile("MEMORY.md"); f.Content != "" || f.Reason == "" {
		t.Errorf("served: %+v", f)
	}
}

func TestUTF16FileHidesItsMemories(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n"})
	w.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(w.idOf(heron))}})
	wide := "\xff\xfe"
	for _, c := range []byte(w.read("MEMORY.md")) {
		wide += string([]byte{c, 0})
	}
	w.write("MEMORY.md", wide)
	w.servedWithout("MEMORY.md", heron)
	w.index()
	w.servedWithout("MEMORY.md", heron)
}

func TestArchivedMemoryIsInNoServedFile(t *testing.T) {
	w := newReopenable(t, map[string]string{"MEMORY.md": "- " + heron + "\n- " + owl + "\n", "memory/old.md": "---\ntier: archive\n---\n- the mill is closed\n"})
	w.decide(memory.DecideRequest{Action: memory.ActionArchive, IDs: []string{string(w.idOf(heron))}})
	if f := w.servedWithout("MEMORY.md", heron); !strings.Contains(f.Content, owl) {
		t.Errorf("served: %+v", f)
	}
	w.servedWithout("memory/old.md", "mill")
}
