package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const reviewedNote = "- The vault is on floor 4\n- Peter plays chess on Thursdays <!-- trust: untrusted -->\n"

// runReview presses keys in a review on a terminal, and returns what it shows and the
// file of the workspace afterwards.
func runReview(t *testing.T, dir, state, keys, editor string) (shown, file string) {
	t.Helper()
	var out bytes.Buffer
	a := newApp(t, dir, state)
	env := a.env
	a.env = func(name string) string {
		switch name {
		case "EDITOR":
			return editor
		case "NO_COLOR":
			return "1"
		}
		return env(name)
	}
	a.in, a.out, a.err, a.terminal = strings.NewReader(keys), &out, &out, true
	if code := a.run(t.Context(), []string{"review"}); code != exitOK {
		t.Errorf("the keys %q end with %d", keys, code)
	}
	src, err := os.ReadFile(filepath.Join(dir, "MEMORY.md"))
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), string(src)
}

func TestReviewTakesOneKeyEach(t *testing.T) {
	editor := filepath.Join(t.TempDir(), "editor")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\nsed -i.bak 's/floor 3/floor 2/' \"$2\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	const file = "- The vault is on floor 3\n" + reviewedNote
	for _, tt := range []struct {
		name, keys string
		file       string
		shows      []string
	}{
		{"quit", "q", file, []string{"contradiction", "2 left", "[m]erge", "quit"}},
		{"skip and end", "ss", file, []string{"untrusted", "nothing more to review"}},
		{"an arrow and another letter", "\x1b[A", file, []string{"press one of the letters"}},
		{"skip and come back", "suq", file, []string{"1 left", "2 left"}},
		{"merge", "mq", "superseded_by", []string{"1 left"}},
		{"merge the other way", "omq", "superseded_by", []string{"other first"}},
		{"merge and undo", "mus", file, []string{"undo"}},
		{"keep", "kq", file, []string{"1 left"}},
		{"edit", "eq", strings.Replace(file, "floor 3", "floor 2", 1), nil},
		{"trust, then all back", "stuuq", file, []string{"trust"}},
		{"undo without a step", "uq", file, []string{"there is no step to undo"}},
		{"no merge of one memory", "smq", file, []string{"press one of the letters"}},
		{"the end of the input", "", file, []string{"quit"}},
		{"an interrupt", "\x03", file, []string{"quit"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
			writeFile(t, filepath.Join(dir, "MEMORY.md"), file)
			shown, after := runReview(t, dir, state, tt.keys, editor)
			if after != tt.file && !(strings.HasPrefix(tt.file, "super") && strings.Contains(after, tt.file) && strings.HasSuffix(after, file)) {
				t.Errorf("the file is\n%s\nwant\n%s\nthe terminal showed\n%s", after, tt.file, shown)
			}
			for _, want := range tt.shows {
				if !strings.Contains(shown, want) {
					t.Errorf("the terminal shows no %q:\n%s", want, shown)
				}
			}
		})
	}
}

func TestReviewWithoutATerminalLists(t *testing.T) {
	dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
	writeFile(t, filepath.Join(dir, "MEMORY.md"), reviewedNote)
	if out := runProgram(t, dir, state, "review"); !strings.Contains(out, "untrusted: ") || !strings.Contains(out, "Peter plays chess") {
		t.Error(out)
	}
	if out := runProgram(t, dir, state, "review", "--json"); !strings.Contains(out, `"kind":"untrusted"`) && !strings.Contains(out, `"kind": "untrusted"`) {
		t.Error(out)
	}
	if out := runProgram(t, dir, state, "review", "--kind", "expired"); !strings.Contains(out, "nothing to review") {
		t.Error(out)
	}
	if out := runProgram(t, dir, state, "review", "--kind", "strange"); !strings.Contains(out, "unknown kind") {
		t.Error(out)
	}
}
