package engine_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

func (w *world) servedFile(path string) memory.ServedFile {
	w.t.Helper()
	answer, err := w.Files(w.t.Context(), memory.FilesRequest{Paths: []string{path}})
	if err != nil {
		w.t.Fatal(err)
	}
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
	w.write("memory/late.md", "- "+owl+"\n") // not indexed yet: it may be the same memory, moved
	if strings.Contains(w.servedFile("memory/late.md").Content, owl) {
		t.Error("a text forgotten with only is served from a file that is not indexed yet")
	}
	w.index()
	if !strings.Contains(w.servedFile("memory/late.md").Content, owl) {
		t.Error("a copy of a text forgotten with only is not served")
	}
	if f := w.servedFile("memory/q.md"); f.Redacted != 1 || strings.Contains(f.Content, "somebody") {
		t.Errorf("quarantined: %+v", f)
	}
}

func (w *world) listPath(path string) []memory.Memory {
	w.t.Helper()
	return w.list(memory.ListRequest{Filter: memory.Filter{Path: path}})
}

func (w *world) listForgotten(path string) []memory.Memory {
	w.t.Helper()
	return w.list(memory.ListRequest{Filter: memory.Filter{Path: path, Forgotten: true}})
}

func (w *world) list(r memory.ListRequest) []memory.Memory {
	w.t.Helper()
	r.Sort = "path"
	a, err := w.List(w.t.Context(), r)
	if err != nil {
		w.t.Fatal(err)
	}
	return a.Memories
}
