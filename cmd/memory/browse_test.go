package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const browsedNotes = `# Editor

- Prefers tabs over spaces in Go
- The vault is on floor 3
- The vault is on floor 4

## 東京

- 田中さんは毎週木曜日に東京の事務所でチェスをします。終わったあと、みんなで近くの店に行って夕食を食べます。
- Deceiving text ` + "\x1b[2J\u202e" + `here
`

func startBrowse(t *testing.T, width, height int, args ...string) (e *terminal, file string) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a process")
	}
	dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
	file = filepath.Join(dir, "MEMORY.md")
	writeFile(t, file, browsedNotes)
	editor := filepath.Join(t.TempDir(), "editor")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\nsed -i.bak \"${1#+}s/.*/- Edited at the line/\" \"$2\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return startInTerminal(t, dir, state, width, height, []string{"EDITOR=" + editor}, append([]string{"browse"}, args...)...), file
}

func TestBrowseTakesOneKeyForEachDecision(t *testing.T) {
	e, file := startBrowse(t, 80, 24)
	e.awaits("search:", "Prefers tabs", "type to search")
	e.press("vault")
	e.awaits("search: vault", ">  98% The vault is", "-- 1 of 3", "MEMORY.md:", "score", "similarity 0.", "injected: ")
	e.press("\r")
	e.awaits("[p]in [f]orget")
	first := "floor 4"
	if strings.Contains(strings.Split(e.text(), "\n")[1], "floor 3") {
		first = "floor 3"
	}
	e.press("p")
	e.awaits("pin: The vault is on "+first, "[PINNED] The vault is on "+first, "un[p]in")
	e.press("w")
	e.awaits("it does not age", "[q]back", "!search:")
	e.press("q")
	e.awaits("search: vault")
	e.press("f")
	e.awaits("forget: The vault is on "+first, "-- 1 of 2")
	if src, _ := os.ReadFile(file); !strings.Contains(string(src), "forgotten:") {
		t.Errorf("the file has no decision:\n%s", src)
	}
	e.press("uu")
	e.awaits("undone", "-- 1 of 3", "![PINNED]", "> ", first)
	e.press("u")
	e.awaits("there is nothing to undo here")
	if src, _ := os.ReadFile(file); string(src) != browsedNotes {
		t.Errorf("after undo the file is\n%s", src)
	}
	e.press("/\x15tabs\r")
	e.awaits("search: tabs", "[o]pen", "-- 1 of")
	e.press("o")
	e.awaits("Edited at the line", "!Prefers tabs")
	if src, _ := os.ReadFile(file); string(src) != strings.Replace(browsedNotes, "Prefers tabs over spaces in Go", "Edited at the line", 1) {
		t.Errorf("the editor got another line:\n%s", src)
	}
	e.press("q")
	if code := e.ends(); code != exitOK {
		t.Errorf("it ends with %d", code)
	}
}

// The screen keeps to its size: the query is at the top and the keys are at the bottom.
func TestBrowseFitsTheTerminal(t *testing.T) {
	e, _ := startBrowse(t, 24, 8, "東京の事務所")
	e.press("\r") // before the hits are there
	for _, size := range []struct{ width, height int }{{24, 8}, {11, 5}, {80, 24}, {40, 12}, {132, 3}, {7, 2}, {60, 16}} {
		e.resize(size.width, size.height)
		e.becomes(func(screen string) bool {
			lines := strings.Split(screen, "\n")
			query := strings.TrimSuffix(lines[0], "…")
			return len(lines) == size.height && strings.HasPrefix(lines[size.height-1], "[o]pe") &&
				(strings.HasPrefix("search: 東京の事務所", query) || strings.HasPrefix(query, "search: ") && strings.HasSuffix("東京の事務所", query[len("search: "):]))
		}, "the query at the top and the keys at the bottom of %dx%d", size.width, size.height)
	}
	e.awaits("田中さんは毎週木曜日に東京の事務所で", "夕食を食べます。")
	e.press("/\x15deceiving")
	e.awaits(`Deceiving text \u001b[2J\u202ehere`)
	for x := range 60 {
		for y := range 16 {
			if c := e.screen.CellAt(x, y); c != nil && (c.Style.Fg != nil || c.Style.Bg != nil) {
				t.Fatalf("the cell %d,%d has a colour", x, y)
			}
		}
	}
	e.press("\x1b")
	if code := e.ends(); code != exitOK {
		t.Errorf("it ends with %d", code)
	}
}
