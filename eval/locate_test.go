package eval_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/eval"
)

func TestLocateReportsLinesWithoutAMemoryAndFindsMovedOnes(t *testing.T) {
	memories := []memory.Memory{
		{ID: "aaaaaaaa11111111", Path: "MEMORY.md", LineStart: 3, LineEnd: 3, Text: "The home server listens on port 8081"},
		{ID: "bbbbbbbb11111111", Path: "MEMORY.md", LineStart: 4, LineEnd: 5, Text: "Backups run at\nhalf past two"},
		{ID: "cccccccc11111111", Path: "memory/garden.md", LineStart: 9, LineEnd: 9, Text: "The gate code is in the blue box, since May"},
		{ID: "dddddddd11111111", Path: "MEMORY.md", LineStart: 7, LineEnd: 7, Text: "Gone", Missing: true},
	}
	const file = `{"query":"heading","relevant":[{"path":"MEMORY.md","line":1}]}
{"query":"second line of a memory","relevant":[{"path":"MEMORY.md","line":5},{"path":"./MEMORY.md","line":9999}],"allowed":[{"path":"nofile.md","line":3}]}

{"query":"missing","relevant":[{"path":"MEMORY.md","line":7}]}
{"query":"moved a line down","relevant":[{"path":"MEMORY.md","line":3}],"text":"Backups run at half past two"}
{"id":"cccccccc","query":"moved to another file and edited","relevant":[{"path":"MEMORY.md","line":2}],"text":"The gate code is in the blue box"}
{"query":"a person chose another file","relevant":[{"path":"memory/garden.md","line":9}],"text":"The home server listens on port 8081"}
{"id":"aaaaaaaa","query":"a person corrected the line","relevant":[{"path":"MEMORY.md","line":4}],"from":{"path":"MEMORY.md","line":3},"text":"The home server listens on port 8081"}
{"id":"bbbbbbbb","query":"moved from its proposed line","relevant":[{"path":"MEMORY.md","line":3}],"from":{"path":"MEMORY.md","line":3},"text":"Backups run at half past two"}
{"query":"a text of nothing","relevant":[{"path":"MEMORY.md","line":3}],"text":"We never wrote this"}`
	golden, err := eval.ReadGolden(strings.NewReader(file), nil)
	if err != nil {
		t.Fatal(err)
	}
	found := eval.Locate(golden, memories)
	if want := []string{"line 1: MEMORY.md:1 is no memory", "line 2: MEMORY.md:9999 is no memory", "line 2: nofile.md:3 is no memory",
		"line 4: MEMORY.md:7 is no memory"}; !slices.Equal(found.NoMemory, want) {
		t.Errorf("no memory: %q", found.NoMemory)
	}
	if want := []string{"line 5: MEMORY.md:3 is now MEMORY.md:4", "line 6: MEMORY.md:2 is now memory/garden.md:9", "line 9: MEMORY.md:3 is now MEMORY.md:4"}; !slices.Equal(found.Moved, want) {
		t.Errorf("moved: %q", found.Moved)
	}
	var lines []string
	for _, g := range golden[3:] {
		lines = append(lines, g.Relevant[0].String())
	}
	if want := []string{"MEMORY.md:4", "memory/garden.md:9", "memory/garden.md:9", "MEMORY.md:4", "MEMORY.md:4", "MEMORY.md:3"}; !slices.Equal(lines, want) {
		t.Errorf("relevant: %q", lines)
	}
}
