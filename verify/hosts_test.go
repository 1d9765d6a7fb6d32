package verify_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/must"
	"github.com/memory-tiered/memory/verify"
)

func TestHostsFindsWhatOpenClawStores(t *testing.T) {
	found := map[string]string{
		"host/agents/main/agent/openclaw-agent.sqlite":     "index, recalls",
		"host/agents/main/agent/openclaw-agent.sqlite-wal": "index, recalls",
		"host/agents/main/sessions/s-1.jsonl":              "index, recalls",
		"host/state/openclaw.sqlite":                       "index, recalls",
		"workspace/memory/.dreams/short-term-recall.json":  "dreaming writes",
	}
	files := map[string]string{
		"host/agents/other/agent/openclaw-agent.sqlite": "something else",
		"host/cache/page.json":                          heron, // not a store
		"host/openclaw.json":                            heron,
		"workspace/MEMORY.md":                           heron, // Files looks there
	}
	for name := range found {
		files[name] = `{"prompt": "<relevant-memories>\n- ` + heron + `\n"}`
	}
	root := writeFiles(t, files)
	hosts := verify.Hosts{Dirs: []string{filepath.Join(root, "host"), filepath.Join(root, "missing")}, Workspace: filepath.Join(root, "workspace")}
	answer := must.Get(hosts.Find(t.Context(), verify.NewMatcher(heron), nil))(t)
	if answer.Found != len(found) || len(answer.Checked) != len(found)+1 {
		t.Fatalf("found %d of %d places, want %d: %+v", answer.Found, len(answer.Checked), len(found), answer.Checked)
	}
	for _, c := range answer.Checked {
		name := must.Get(filepath.Rel(root, c.File))(t)
		if note, want := found[filepath.ToSlash(name)]; want != c.Found || !strings.Contains(c.Note, note) {
			t.Errorf("%s: found %v, note %q", name, c.Found, c.Note)
		}
	}
}

func TestHostsWithoutAnyStore(t *testing.T) {
	answer, err := verify.Hosts{Dirs: []string{t.TempDir()}, Workspace: t.TempDir()}.Find(t.Context(), verify.NewMatcher(heron), nil)
	if err != nil || answer.Found != 0 || len(answer.Checked) != 0 {
		t.Errorf("%+v, %v", answer, err)
	}
}
