package engine_test

import (
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// A comment at the end of today's note protects the text above it. A stored text with
// the same annotation must not take the comment for itself.
func TestStoreLeavesAProtectedTextProtected(t *testing.T) {
	w := newWorld(t, map[string]string{"MEMORY.md": "- " + owl + "\n"})
	w.index()
	first := must.Get(w.Store(t.Context(), memory.StoreRequest{Text: "The name of today's note is learnt from this"}))(t)
	w.write(first.Memory.Path, "# Day\n- Something stable\n\nThe alarm code of the house is 4711\n\n<!-- private -->\n")
	w.index()
	must.Get(w.Store(t.Context(), memory.StoreRequest{Text: "The wine cellar is behind the red door", Private: true}))(t)
	list := must.Get(w.List(t.Context(), memory.ListRequest{For: memory.AudienceModel}))(t)
	for _, m := range list.Memories {
		if strings.Contains(m.Text, "4711") || strings.Contains(m.Text, "wine cellar") {
			t.Errorf("a model gets %q", m.Text)
		}
	}
}
