package clients_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/internal/clients"
	"github.com/memory-tiered/memory/internal/must"
)

func TestFoldersOfClientsAreFound(t *testing.T) {
	home := t.TempDir()
	for _, dir := range []string{".claude/projects/-home-ada-shop/memory", ".claude/projects/-home-ada-blog", "elsewhere/memories", ".qwen/memories", ".qwen/projects/-x/memory"} {
		must.Do(t, os.MkdirAll(filepath.Join(home, dir), 0o700))
	}
	env := func(name string) string {
		if name == "CODEX_HOME" {
			return filepath.Join(home, "elsewhere")
		}
		return ""
	}
	var found []string
	for _, c := range clients.WithMemories() {
		for _, f := range c.Folders(c.Dir(home, env)) {
			rel := must.Get(filepath.Rel(home, f.Path))(t)
			found = append(found, f.Client+" "+filepath.ToSlash(rel)+" "+f.Slug)
		}
	}
	want := []string{"claude-code .claude/projects/-home-ada-shop/memory -home-ada-shop", "codex elsewhere/memories ",
		"qwen .qwen/memories ", "qwen .qwen/projects/-x/memory -x"}
	if !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
}

func TestProjectOfASlug(t *testing.T) {
	root := must.Get(filepath.EvalSymlinks(t.TempDir()))(t)
	dir := filepath.Join(root, "my.code", "web-shop")
	must.Do(t, os.MkdirAll(dir, 0o700))
	if at, name := clients.Project(clients.Slug(dir)); at != dir || name != "web-shop" {
		t.Errorf("the project is %s in %s, want web-shop in %s", name, at, dir)
	}
	if at, name := clients.Project("-no-such-folder-anywhere"); at != "" || name != "anywhere" {
		t.Errorf("a folder that is gone is %q in %q, want anywhere and no folder", name, at)
	}
}

func TestTranscriptsHaveWhatPeopleAndTheAgentSaid(t *testing.T) {
	for name, want := range map[string][]string{
		"claude-code": {"c1", "u1 user /home/ada/shop I prefer tabs over spaces in Go.", "m1 assistant /home/ada/shop OK.", "u6 user /home/ada/shop Remember that staging listens on port 8081."},
		"codex":       {"x1", "u1 user /home/ada/blog We decided to use Hugo for the blog.", "a1 assistant /home/ada/blog Noted."},
	} {
		file := must.Get(os.Open(filepath.Join("testdata", name+".jsonl")))(t)
		defer file.Close()
		c := must.Get(clients.ReadTranscript(file))(t)
		found := []string{c.Session}
		for _, m := range c.Messages {
			found = append(found, strings.Join([]string{m.Key, m.Role, m.Folder, m.Text}, " "))
		}
		if !slices.Equal(found, want) {
			t.Errorf("%s has %q, want %q", name, found, want)
		}
	}
}

func TestSubagentsAndLongLinesAreLeftOut(t *testing.T) {
	long := `{"type":"user","message":{"role":"user","content":"` + strings.Repeat("x", 3<<20) + `"},"uuid":"u1"}` + "\n"
	short := `{"type":"user","message":{"role":"user","content":"Remember the milk."},"uuid":"u2","sessionId":"s"}` // without a line end
	c, err := clients.ReadTranscript(strings.NewReader(long + short))
	if err != nil || len(c.Messages) != 1 || c.Messages[0].Key != "u2" {
		t.Errorf("%d messages, error %v; want only the short one", len(c.Messages), err)
	}
	subagent := `{"type":"session_meta","payload":{"session_id":"s","thread_source":"subagent"}}` + "\n" + short
	if c, err := clients.ReadTranscript(strings.NewReader(subagent)); err != nil || len(c.Messages) != 0 {
		t.Errorf("a subagent's session has %d messages, error %v", len(c.Messages), err)
	}
}

func FuzzReadTranscript(f *testing.F) {
	for _, name := range []string{"claude-code", "codex"} {
		src := must.Get(os.ReadFile(filepath.Join("testdata", name+".jsonl")))(f)
		f.Add(string(src))
	}
	f.Fuzz(func(t *testing.T, src string) {
		c := must.Get(clients.ReadTranscript(strings.NewReader(src)))(t)
		for _, m := range c.Messages {
			if m.Text == "" || m.Role != "user" && m.Role != "assistant" {
				t.Fatalf("message %+v", m)
			}
		}
	})
}
