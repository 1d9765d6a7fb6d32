package main

import (
	"bytes"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
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
	if err := os.WriteFile(editor, []byte("#!/bin/sh\nsed -i.bak 's/floor 3/floor 2/; s/chess/bridge/' \"$1\"\n"), 0o700); err != nil {
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
		{"merge", "mq", "- The vault is on floor 3\n" + strings.SplitAfter(reviewedNote, "\n")[1], []string{"1 left"}},
		{"merge the other way", "omq", reviewedNote, []string{"other first"}},
		{"merge and undo", "mus", file, []string{"undo"}},
		{"keep", "kq", file, []string{"1 left"}},
		{"edit", "eq", strings.Replace(file, "floor 3", "floor 2", 1), nil},
		{"edit and undo", "euq", file, nil},
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
			if after != tt.file {
				t.Errorf("the file is\n%s\nwant\n%s\nthe terminal showed\n%s", after, tt.file, shown)
			}
			for _, want := range tt.shows {
				if !strings.Contains(shown, want) {
					t.Errorf("the terminal shows no %q:\n%s", want, shown)
				}
			}
			if left, err := filepath.Glob(filepath.Join(state, "edits", "*")); err != nil || len(left) > 0 {
				t.Errorf("files of the editor stay: %v, %v", left, err)
			}
		})
	}
}

func TestReviewOfAFileThatChangesWhileTheEditorIsOpen(t *testing.T) {
	dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
	note := filepath.Join(dir, "MEMORY.md")
	writeFile(t, note, reviewedNote)
	editor := filepath.Join(t.TempDir(), "editor")
	script := "#!/bin/sh\nsed -i.bak 's/chess/bridge/' \"$1\"\nsed 's/Thursdays/Fridays/' '" + note + "' > '" + note + ".new' && mv '" + note + ".new' '" + note + "'\n"
	if err := os.WriteFile(editor, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	shown, after := runReview(t, dir, state, "eq", editor)
	if want := strings.Replace(reviewedNote, "Thursdays", "Fridays", 1); after != want || !strings.Contains(shown, "changed meanwhile") {
		t.Errorf("the file is\n%s\nthe terminal showed\n%s", after, shown)
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

// TestClosedTerminalLeavesNoFileOfTheEditor sends SIGHUP while the editor is open, as the
// system does when a terminal is closed.
func TestClosedTerminalLeavesNoFileOfTheEditor(t *testing.T) {
	hangups := make(chan os.Signal, 1) // keeps the test alive if the review does not take the signal
	signal.Notify(hangups, syscall.SIGHUP)
	defer signal.Stop(hangups)
	dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
	writeFile(t, filepath.Join(dir, "MEMORY.md"), reviewedNote)
	seen := filepath.Join(t.TempDir(), "seen")
	editor := filepath.Join(t.TempDir(), "editor")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\necho \"$1\" > '"+seen+"'\nkill -HUP $PPID\nexec sleep 60\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	a := newApp(t, dir, state)
	env := a.env
	a.env = func(name string) string {
		if name == "EDITOR" {
			return editor
		}
		return env(name)
	}
	var out bytes.Buffer
	a.in, a.out, a.err, a.terminal = strings.NewReader("eq"), &out, &out, true
	if code := a.run(t.Context(), []string{"review"}); code == exitOK || !strings.Contains(out.String(), "ended while the editor was open") {
		t.Errorf("the review ends with %d:\n%s", code, out.String())
	}
	file, err := os.ReadFile(seen)
	if err != nil || !strings.HasPrefix(string(file), filepath.Join(state, "edits")) {
		t.Errorf("the editor opened %q: %v", file, err)
	}
	if left, err := filepath.Glob(filepath.Join(state, "edits", "*")); err != nil || len(left) > 0 {
		t.Errorf("files of the editor stay: %v, %v", left, err)
	}
}
