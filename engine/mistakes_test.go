package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

const vaultText = "The vault code of the zebraquux house is four seven one one"

// visible reports whether a list or a file for a model contains a text.
func (w *world) visible(text string) bool {
	w.t.Helper()
	list := must.Get(w.List(w.t.Context(), memory.ListRequest{}))(w.t)
	for _, m := range list.Memories {
		if strings.Contains(m.Text, text) && !m.Private {
			return true
		}
	}
	files := must.Get(w.Files(w.t.Context(), memory.FilesRequest{Paths: []string{"MEMORY.md"}}))(w.t)
	return strings.Contains(files.Files[0].Content, text)
}

// TestMistakeInFrontMatterRestoresNothing edits the line of a forgotten memory wrongly,
// with the index from before and in a clone.
func TestMistakeInFrontMatterRestoresNothing(t *testing.T) {
	tests := []struct {
		name string
		edit func(src string) string
	}{
		{"a blank line above", func(s string) string { return "\n" + s }},
		{"a comment above", func(s string) string { return "<!-- mine -->\n" + s }},
		{"a blank before ---", func(s string) string { return " " + s }},
		{"a character without a width", func(s string) string { return "\u200b" + s }},
		{"no dash", func(s string) string { return strings.Replace(s, "  - {", "  {", 1) }},
		{"a misspelled key", func(s string) string { return strings.Replace(s, "memories:", "memoires:", 1) }},
		{"no closing brace", func(s string) string { return strings.Replace(s, "}\n", "\n", 1) }},
		{"no value", func(s string) string { return cutValue(s, "forgotten:") }},
		{"a misspelled quote", func(s string) string { return strings.Replace(s, "quote:", "qoute:", 1) }},
		{"conflict markers", func(s string) string {
			return strings.Replace(s, "  - {", "<<<<<<< HEAD\n=======\n>>>>>>> b\n  - {", 1)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"MEMORY.md": "- Gardens and tulips in spring\n- " + vaultText + "\n"})
			w.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(w.idOf(vaultText))}})
			src := tt.edit(w.read("MEMORY.md"))
			w.write("MEMORY.md", src)
			w.index()
			if w.visible(vaultText) {
				t.Error("visible with the index from before")
			}
			clone := newWorld(t, map[string]string{"MEMORY.md": src, "memory/copy.md": "- " + vaultText + "\n"})
			clone.index()
			if clone.visible(vaultText) {
				t.Error("visible in a clone")
			}
			status, err := w.Status(t.Context())
			if err != nil || len(status.Workspaces[0].Faults) == 0 {
				t.Errorf("no fault: %+v, %v", status, err)
			}
		})
	}
}

// cutValue removes the value behind a key in a flow mapping.
func cutValue(s, key string) string {
	at := strings.Index(s, key) + len(key)
	return s[:at] + s[at+strings.IndexAny(s[at:], ",}"):]
}

// TestConflictInTheDecisionsFileForgetsInAClone checks both sides of the conflict.
func TestConflictInTheDecisionsFileForgetsInAClone(t *testing.T) {
	const line = `  - {id: "b3dca1d0ac68", path: "MEMORY.md", quote: "The vault code of the zebraquux house is", forgotten: 2026-11-22}`
	for _, list := range []string{"<<<<<<< HEAD\n" + line + "\n=======\n>>>>>>> b\n", "<<<<<<< HEAD\n=======\n" + line + "\n>>>>>>> b\n",
		strings.TrimSuffix(line, "}") + "\n"} {
		w := newWorld(t, map[string]string{"MEMORY.md": "- " + vaultText + "\n", "memory/.decisions.yaml": "memories:\n" + list})
		w.index()
		if w.visible(vaultText) {
			t.Errorf("visible although forgotten in\n%s", list)
		}
	}
}

// TestStatusReportsARestoreThatAFileMade removes the line of a forgotten memory as git
// stash or an old buffer of an editor does.
func TestStatusReportsARestoreThatAFileMade(t *testing.T) {
	const file = "- Gardens and tulips in spring\n- " + vaultText + "\n"
	w := newWorld(t, map[string]string{"MEMORY.md": file})
	id := w.idOf(vaultText)
	notices := func() string {
		t.Helper()
		status := must.Get(w.Status(t.Context()))(t)
		return strings.Join(status.Workspaces[0].Notices, "\n")
	}
	w.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(id)}})
	w.decide(memory.DecideRequest{Action: memory.ActionRestore, IDs: []string{string(id)}})
	if got := notices(); strings.Contains(got, "restored") {
		t.Errorf("a command restored it: %s", got)
	}
	w.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(id)}})
	w.write("MEMORY.md", file)
	w.index()
	if got := notices(); !strings.Contains(got, "1 memories were restored because their lines were removed, the last ones from MEMORY.md") {
		t.Errorf("notices: %s", got)
	}
	w.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(id)}})
	if got := notices(); strings.Contains(got, "restored") {
		t.Errorf("forgotten again: %s", got)
	}
}

// TestListOfMissingLeavesOutForgotten lists missing memories with and without forgotten
// ones.
func TestListOfMissingLeavesOutForgotten(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- Gardens and tulips in spring\n- " + vaultText + "\n"})
	w.decide(memory.DecideRequest{Action: memory.ActionForget, IDs: []string{string(w.idOf(vaultText))}})
	must.Do(t, os.Remove(filepath.Join(w.dir, "MEMORY.md")))
	w.index()
	for forgotten, want := range map[bool]string{false: "Gardens and tulips in spring", true: vaultText} {
		a, err := w.List(t.Context(), memory.ListRequest{Missing: true, Filter: memory.Filter{Forgotten: forgotten}})
		if err != nil || a.Total != 1 || len(a.Memories) != 1 || a.Memories[0].Text != want {
			t.Errorf("forgotten %v: %+v, %v", forgotten, a.Memories, err)
		}
	}
}

// TestFaultsDoNotQuoteForgottenTexts has lines that forget or protect a text, which is
// in no file, or which cannot be read.
func TestFaultsDoNotQuoteForgottenTexts(t *testing.T) {
	for name, line := range map[string]string{
		"forgotten":  `- {id: "0123456789ab", quote: "The staging password is swordfish", forgotten: 2026-11-20}`,
		"without id": `- {quote: "The staging password is swordfish", forgotten: true}`,
		"private":    `- {id: "0123456789ab", quote: "The staging password is swordfish", private: true}`,
		"untrusted":  `- {id: "0123456789ab", quote: "The staging password is swordfish", trust: untrusted}`,
		"broken":     `- {id: "0123456789ab", quote: "The staging password is swordfish", forgotten: 2026-11-20`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newReopenable(t, map[string]string{"MEMORY.md": "---\nmemories:\n  " + line + "\n---\n- " + heron + "\n"})
			status, err := w.Status(t.Context())
			if err != nil || len(status.Workspaces[0].Faults) == 0 {
				t.Fatalf("status: %+v, %v", status.Workspaces[0].Faults, err)
			}
			for _, f := range status.Workspaces[0].Faults {
				if strings.Contains(f.Message, "swordfish") || f.Path != "MEMORY.md" || f.Line != 3 && name != "broken" {
					t.Errorf("fault %+v", f)
				}
			}
		})
	}
}
