package workspace_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/workspace"
)

// TestTopicFilesBesideMemoryAreMemories lists folders as coding agents keep them, and
// folders of other kinds. In those, the files beside MEMORY.md are no memories.
func TestTopicFilesBesideMemoryAreMemories(t *testing.T) {
	agent := []string{"MEMORY.md", "debugging.md", "people.md", "projects.md"}
	tests := []struct {
		name   string
		add    []string
		want   []string
		reason string
	}{
		{"an agent's folder", agent, agent, ""},
		{"with daily notes", append([]string{"memory/2026-11-20.md"}, agent...), slices.Concat(agent[:2], []string{"memory/2026-11-20.md"}, agent[2:]), ""},
		{"with other folders and hidden files", append([]string{"logs/a.md", "scripts/run.sh", ".git/config", ".gitignore", ".DS_Store"}, agent...), agent, ""},
		{"while editors save", append([]string{"people.md~", "4913", "#people.md#", "people.md.tmp.12.34", "sedXyZ123", "tmpab12", "people.bak", ".people.md.swp"}, agent...), agent, ""},
		{"without MEMORY.md", agent[1:], nil, ""},
		{"a repository", append([]string{"README.md", "CHANGELOG.md", "LICENSE", "go.mod", "docs/guide.md"}, agent...), agent[:1], "CHANGELOG.md"},
		{"a repository of Markdown only", append([]string{"README.de.md", "docs/guide.md"}, agent...), agent[:1], "README.de.md"},
		{"a project without a readme", append([]string{"package.json"}, agent...), agent[:1], "package.json"},
		{"an agent's home", append([]string{"AGENTS.md", "SOUL.md", "USER.md"}, agent...), []string{"MEMORY.md", "USER.md"}, "AGENTS.md"},
		{"a vault", append([]string{".obsidian/app.json"}, agent...), agent[:1], ".obsidian"},
		{"with a picture", append([]string{"plan.png"}, agent...), agent[:1], "plan.png"},
		{"with a topic that is like a page of a project", append([]string{"tools.md", "security.md"}, agent...),
			[]string{"MEMORY.md", "debugging.md", "people.md", "projects.md", "security.md", "tools.md"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir, files := t.TempDir(), map[string]string{}
			for _, name := range tt.add {
				files[name] = "text"
			}
			put(t, dir, files)
			w := open(t, dir, workspace.Options{})
			for _, name := range []string{"debugging.md", "README.md"} {
				if _, there := files[name]; there && w.Indexable(name) != slices.Contains(tt.want, name) {
					t.Errorf("before the first scan, %s is indexable: %v", name, w.Indexable(name))
				}
			}
			same(t, listed(t, w), tt.want)
			statAgrees(t, w, slices.Collect(maps.Keys(files)))
			if got := count(t, w, 1000); got.Reason != tt.reason || got.Files != len(tt.want) {
				t.Errorf("coverage %+v, want the reason %q", got, tt.reason)
			}
		})
	}
}

func TestTopicFilesStartWarmAndMayBeInjected(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"MEMORY.md": "m", "people.md": "p"})
	w := open(t, dir, workspace.Options{})
	if d := w.Defaults("people.md"); d.Tier != memory.TierWarm || d.ImportanceLabel != "" {
		t.Errorf("%+v", d)
	}
	if w.Indexable("sub/people.md") || w.Indexable("people.txt") {
		t.Error("other files are indexable")
	}
}

// TestTopicFilesFollowTheIgnoreFile leaves out a topic, and a file that would rule
// topics out.
func TestTopicFilesFollowTheIgnoreFile(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"MEMORY.md": "m", "people.md": "p", "drafts.md": "d", "state.json": "{}", ".memoryignore": "/drafts.md\n*.json\n"})
	same(t, listed(t, open(t, dir, workspace.Options{})), []string{"MEMORY.md", "people.md"})
}

// TestDecidesNamesEveryFileThatChangesTheRule adds and removes single files. Where the
// list of memories changes beyond the file itself, Decides must know the file until the scan.
func TestDecidesNamesEveryFileThatChangesTheRule(t *testing.T) {
	for _, name := range []string{"MEMORY.md", "README.md", "go.mod", "LICENSE", "notes.md", "4913", "notes.md~", ".gitignore", ".obsidian", "x.tmp", "memory.md"} {
		dir := t.TempDir()
		put(t, dir, map[string]string{"people.md": "p"})
		if name != "MEMORY.md" {
			put(t, dir, map[string]string{"MEMORY.md": "m"})
		}
		w := open(t, dir, workspace.Options{})
		before := w.Indexable("people.md")
		if name == ".obsidian" {
			must(t, os.Mkdir(filepath.Join(dir, name), 0o755))
		} else {
			put(t, dir, map[string]string{name: "x"})
		}
		decides := w.Decides(name)
		scan(t, w)
		changed := w.Indexable("people.md") != before
		if changed != decides || w.Decides(name) {
			t.Errorf("%s changes the rule: %v, decides: %v before the scan, %v after it", name, changed, decides, w.Decides(name))
		}
		if must(t, os.Remove(filepath.Join(dir, name))); w.Decides(name) != changed {
			t.Errorf("%s changes the rule: %v, its removal decides: %v", name, changed, !changed)
		}
		if more := "other.json"; name == "go.mod" && w.Decides(more) {
			t.Errorf("beside %s, %s decides", name, more)
		}
	}
}
