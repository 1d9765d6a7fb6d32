package engine_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// git runs git in the workspace with fixed settings.
func (w *world) git(args ...string) {
	w.t.Helper()
	c := exec.Command("git", args...)
	c.Dir = w.dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=Lena", "GIT_AUTHOR_EMAIL=lena@example.org", "GIT_COMMITTER_NAME=Lena", "GIT_COMMITTER_EMAIL=lena@example.org")
	if out, err := c.CombinedOutput(); err != nil {
		w.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func (w *world) commitAt(date string) {
	w.t.Helper()
	w.git("add", "-A")
	w.git("commit", "-q", "--date", date, "-m", "notes")
}

// shown indexes everything, and returns the memory with a text as show displays it.
func (w *world) shown(text string) memory.Memory {
	w.t.Helper()
	must.Get(w.Index(w.t.Context(), memory.IndexRequest{}, nil))(w.t)
	all := must.Get(w.List(w.t.Context(), memory.ListRequest{}))(w.t)
	for _, m := range all.Memories {
		if strings.Contains(m.Text, text) {
			m := must.Get(w.Show(w.t.Context(), memory.ShowRequest{ID: string(m.ID)}))(w.t)
			return m.Memory
		}
	}
	w.t.Fatalf("no memory contains %q", text)
	return memory.Memory{}
}

func TestDateComesFromTheCommitThatIntroducedTheLine(t *testing.T) {
	needGit(t)
	w := newWorld(t, map[string]string{
		"MEMORY.md":            "# Boat\n- The ferry leaves at nine\n",
		"memory/2020-02-03.md": "- Ada bought a kayak\n",
		"memory/declared.md":   "---\ncreated: 2019-05-06\n---\n- The harbour opens in May\n",
	})
	w.git("init", "-q")
	w.commitAt("2021-03-04T10:00:00Z")
	w.write("MEMORY.md", "# Boat\n- The lighthouse is white\n- The ferry leaves at nine\n")
	w.commitAt("2022-05-06T10:00:00Z")
	w.write("MEMORY.md", "# Boat\n- The lighthouse is white\n- The buoy is red and new\n- The ferry leaves at nine\n")
	for _, tt := range []struct {
		text, date string
		from       memory.DateSource
		reason     string
	}{
		{"ferry", "2021-03-04T10:00:00Z", memory.DateGit, "author date"},
		{"lighthouse", "2022-05-06T10:00:00Z", memory.DateGit, "author date"},
		{"kayak", "2020-02-02T15:00:00Z", memory.DateNote, "daily note"},
		{"harbour", "2019-05-05T15:00:00Z", memory.DateDeclared, "declared"},
		{"buoy", "", "", "the line is not committed"},
	} {
		m := w.shown(tt.text)
		if got := m.CreatedAt.UTC().Format(time.RFC3339); tt.date != "" && (got != tt.date || m.CreatedFrom != tt.from) {
			t.Errorf("%s: %s from %s, want %s from %s", tt.text, got, m.CreatedFrom, tt.date, tt.from)
		}
		if !strings.Contains(m.DateReason, tt.reason) {
			t.Errorf("%s: reason %q, want %q", tt.text, m.DateReason, tt.reason)
		}
	}
	explained, err := w.Explain(t.Context(), memory.ExplainRequest{ID: string(w.shown("ferry").ID)})
	if err != nil || explained.Memory.CreatedFrom != memory.DateGit || explained.EffectiveAgeDays < 365 {
		t.Errorf("explain: %+v, %v", explained, err)
	}
}

func TestEditKeepsTheDateOfTheFirstCommit(t *testing.T) {
	needGit(t)
	w := newWorld(t, map[string]string{"MEMORY.md": "- The ferry to the island leaves at nine\n"})
	w.git("init", "-q")
	w.commitAt("2021-03-04T10:00:00Z")
	before := w.shown("ferry")
	w.write("MEMORY.md", "- The ferry to the island leaves at ten\n")
	w.commitAt("2022-05-06T10:00:00Z")
	after := w.shown("ferry")
	if after.ID != before.ID || !after.CreatedAt.Equal(before.CreatedAt) || after.CreatedFrom != memory.DateGit || after.EditedAt == nil {
		t.Errorf("before %+v\nafter %+v", before, after)
	}
}

func TestUnusableRepositoryFallsBackToTheFile(t *testing.T) {
	needGit(t)
	w := newWorld(t, map[string]string{"MEMORY.md": "- The ferry leaves at nine\n"})
	w.git("init", "-q")
	w.commitAt("2021-03-04T10:00:00Z")
	head := readText(t, filepath.Join(w.dir, ".git", "HEAD"))
	w.write(".git/HEAD", strings.Repeat("a", 40)+"\n")
	m := w.shown("ferry")
	if m.CreatedFrom == memory.DateGit || !strings.Contains(m.DateReason, "git: the repository cannot be read") {
		t.Errorf("from %s: %s", m.CreatedFrom, m.DateReason)
	}
	w.write(".git/HEAD", head)
	if m = w.shown("ferry"); m.CreatedFrom != memory.DateGit {
		t.Errorf("after the repair: from %s: %s", m.CreatedFrom, m.DateReason)
	}
}

// TestDatesFoundAreKept takes git away after the first search.
func TestDatesFoundAreKept(t *testing.T) {
	needGit(t)
	w := newWorld(t, map[string]string{"MEMORY.md": "- The ferry leaves at nine\n"})
	w.git("init", "-q")
	w.commitAt("2021-03-04T10:00:00Z")
	before := w.shown("ferry")
	t.Setenv("PATH", "")
	must.Get(w.Index(t.Context(), memory.IndexRequest{Force: true}, nil))(t)
	if after := w.shown("ferry"); after.CreatedFrom != memory.DateGit || !after.CreatedAt.Equal(before.CreatedAt) {
		t.Errorf("before %+v\nafter %+v", before, after)
	}
}
