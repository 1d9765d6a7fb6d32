package engine_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

func (w *world) served(path string) memory.ServedFile {
	w.t.Helper()
	answer, err := w.Files(w.t.Context(), memory.FilesRequest{Paths: []string{path}})
	if err != nil {
		w.t.Fatal(err)
	}
	return answer.Files[0]
}

// A served file holds back what may never be put before a model, memory by
// memory: a copy that was restored alone shows, and the others do not.
func TestServedFilesHoldBackMemoryByMemory(t *testing.T) {
	const same = "- " + heron + "\n"
	w := newReopenable(t, map[string]string{"MEMORY.md": "# Birds\n\n- first line of all\n" + same + same + "- " + owl + "\n",
		"memory/a.md": same, "memory/q.md": "---\ntrust: quarantined\n---\n- somebody else wrote this line\n"})
	count := func(path string) int { return strings.Count(w.served(path).Content, heron) }
	w.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(w.in("memory/a.md")[0].ID)}})
	if count("MEMORY.md") != 0 || count("memory/a.md") != 0 || w.served("MEMORY.md").Redacted != 2 {
		t.Fatalf("forgotten: %+v", w.served("MEMORY.md"))
	}
	second := w.forgottenIn("MEMORY.md")[1]
	w.decide(memory.DecideRequest{Action: memory.ActionRestore, IDs: []string{string(second.ID)}, Only: true})
	if count("MEMORY.md") != 1 || count("memory/a.md") != 0 || w.served("MEMORY.md").Redacted != 1 {
		t.Errorf("one copy restored alone: %+v, %+v", w.served("MEMORY.md"), w.served("memory/a.md"))
	}
	if !strings.Contains(w.served("MEMORY.md").Content, owl) {
		t.Error("the owl is gone")
	}
	w.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(w.id(owl))}, Only: true})
	w.write("memory/late.md", "- "+owl+"\n") // not indexed yet: it may be the same memory, moved
	if strings.Contains(w.served("memory/late.md").Content, owl) {
		t.Error("what is forgotten alone shows in a file that is not indexed yet")
	}
	w.index()
	if !strings.Contains(w.served("memory/late.md").Content, owl) {
		t.Error("a copy of what is forgotten alone does not show")
	}
	if f := w.served("memory/q.md"); f.Redacted != 1 || strings.Contains(f.Content, "somebody") {
		t.Errorf("quarantined: %+v", f)
	}
}

func (w *world) in(path string) []memory.Memory {
	w.t.Helper()
	return w.listed(memory.ListRequest{Filter: memory.Filter{Path: path}})
}

func (w *world) forgottenIn(path string) []memory.Memory {
	w.t.Helper()
	return w.listed(memory.ListRequest{Filter: memory.Filter{Path: path, Forgotten: true}})
}

func (w *world) listed(r memory.ListRequest) []memory.Memory {
	w.t.Helper()
	r.Sort = "path"
	a, err := w.List(w.t.Context(), r)
	if err != nil {
		w.t.Fatal(err)
	}
	return a.Memories
}
