package workspace_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/workspace"
)

func count(t *testing.T, w *workspace.Workspace, most int) memory.Coverage {
	t.Helper()
	scan(t, w)
	c, err := w.Coverage(t.Context(), most)
	must.Do(t, err)
	return c
}

func TestCoverageCountsWhatNoPatternMatches(t *testing.T) {
	files := map[string]string{"MEMORY.md": "m", "memory/a.md": "a", "memory/x/b.md": "b", "notes/n.md": "n", "notes/deep/o.MD": "o", "z.md": "z",
		"plain.txt": "p", ".hidden/h.md": "h", "node_modules/i.md": "i", ".memoryignore": "secret/\n", "secret/s.md": "s", "memory/DREAMS.md": "d"}
	tests := []struct {
		name  string
		globs []string
		want  memory.Coverage
	}{
		{"the usual files", nil, memory.Coverage{Files: 3, NotCovered: 3, Example: "z.md"}},
		{"one folder", []string{"notes"}, memory.Coverage{Files: 5, NotCovered: 1, Example: "z.md"}},
		{"one level", []string{"notes/*.md"}, memory.Coverage{Files: 4, NotCovered: 2, Example: "z.md"}},
		{"all", []string{memory.AllMarkdown}, memory.Coverage{Files: 6}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, files)
			var o workspace.Options
			for _, g := range tt.globs {
				o.Globs = append(o.Globs, workspace.Glob{Pattern: g, Inject: true})
			}
			w := open(t, dir, o)
			if got := count(t, w, 1000); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
			if n := len(listed(t, w)); n != tt.want.Files {
				t.Errorf("%d files are listed, %d are counted", n, tt.want.Files)
			}
		})
	}
}

// TestCoverageCountsLinkedFilesAsCovered links memory/ to a folder that no pattern
// matches.
func TestCoverageCountsLinkedFilesAsCovered(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"shared/a.md": "a", "other/b.md": "b", "memory": "->shared"})
	if got := count(t, open(t, dir, workspace.Options{}), 1000); got != (memory.Coverage{Files: 1, NotCovered: 1, Example: "other/b.md"}) {
		t.Errorf("got %+v", got)
	}
}

func TestCoverageIsBounded(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{"memory/a.md": "a"}
	for i := range 3000 {
		files[fmt.Sprintf("n/%d.md", i)] = "n"
	}
	put(t, dir, files)
	w := open(t, dir, workspace.Options{})
	if got := count(t, w, 2000); !got.More || got.NotCovered == 0 || got.NotCovered >= 2000 {
		t.Errorf("2000 names: %+v", got)
	}
	if got := count(t, w, 10_000); got.More || got.NotCovered != 3000 {
		t.Errorf("10,000 names: %+v", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := w.Coverage(ctx, 10_000); err != nil || !got.More {
		t.Errorf("without time: %+v, %v", got, err)
	}
}

// TestAllMarkdownKeepsTheTiersOfTheUsualFiles adds a pattern without a tier, which also
// matches files below memory/.
func TestAllMarkdownKeepsTheTiersOfTheUsualFiles(t *testing.T) {
	w := open(t, t.TempDir(), workspace.Options{Globs: []workspace.Glob{{Pattern: memory.AllMarkdown, Scope: "home", Inject: true}}})
	for name, tier := range map[string]memory.Tier{"MEMORY.md": memory.TierWarm, "memory/a.md": memory.TierHot, "notes/n.md": memory.TierWarm} {
		if d := w.Defaults(name); d.Tier != tier || d.Scope != "home" {
			t.Errorf("%s starts in tier %q with scope %q, want %q", name, d.Tier, d.Scope, tier)
		}
	}
}
