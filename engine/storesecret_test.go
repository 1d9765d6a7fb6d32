package engine_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/internal/must"
)

// TestNoDoorKeepsASecret sends texts through every way by which a text becomes a memory.
// Only a person can insist on a secret.
func TestNoDoorKeepsASecret(t *testing.T) {
	table := must.Get(os.ReadFile("testdata/doors.tsv"))(t)
	store := func(r memory.StoreRequest) func(*captureWorld, string) error {
		return func(c *captureWorld, text string) error {
			r.Text = text
			_, err := c.Store(t.Context(), r)
			return err
		}
	}
	doors := map[string]struct {
		send    func(*captureWorld, string) error
		insists bool
		silent  bool // it reports what it leaves out, and no error
	}{
		"a person":                           {send: store(memory.StoreRequest{})},
		"a person in private":                {send: store(memory.StoreRequest{Private: true})},
		"a person who insists":               {send: store(memory.StoreRequest{Force: true}), insists: true},
		"a tool":                             {send: store(memory.StoreRequest{Source: memory.SourceTool})},
		"a tool that insists":                {send: store(memory.StoreRequest{Source: memory.SourceTool, Force: true})},
		"a model that claims to be a person": {send: store(memory.StoreRequest{For: memory.AudienceModel, Force: true})},
		"capture": {send: func(c *captureWorld, text string) error {
			c.tell("s", "1", "Remember that "+text+".")
			return nil
		}, silent: true},
	}
	for name, door := range doors {
		t.Run(name, func(t *testing.T) {
			for line := range strings.Lines(string(table)) {
				kind, text, _ := strings.Cut(strings.TrimSpace(line), "\t")
				c := newCaptureWorld(t, nil)
				err := door.send(c, text)
				admitted := kind == "plain" || door.insists
				if !door.silent && admitted != (err == nil) {
					t.Errorf("%q: %v", text, err)
				}
				if err != nil && (!errors.Is(err, memory.ErrForbidden) || strings.Contains(err.Error(), text[len(text)/2:])) {
					t.Errorf("%q is refused with %v", text, err)
				}
				if kept := strings.Contains(markdownIn(t, c.dir), text[4:]); kept != admitted {
					t.Errorf("%q is in the Markdown: %v", text, kept)
				}
			}
		})
	}
}

// TestInsistingOnASecretWarns checks what a person is told.
func TestInsistingOnASecretWarns(t *testing.T) {
	const text = "The password of the NAS is Otter!77x"
	for private, warned := range map[bool]bool{false: true, true: false} {
		c := newCaptureWorld(t, nil)
		a := c.storeAs(memory.StoreRequest{Text: text, Force: true, Private: private})
		if got := strings.Contains(strings.Join(a.Notices, "\n"), "secret"); got != warned {
			t.Errorf("private %v: notices %q", private, a.Notices)
		}
	}
}

// markdownIn returns the text of all Markdown files below a folder.
func markdownIn(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	must.Do(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		content, err := os.ReadFile(path)
		all.Write(content)
		return err
	}))
	return all.String()
}
