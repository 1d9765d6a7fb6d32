package chunker_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
)

var update = flag.Bool("update", false, "write the golden files anew")

// shown is what a golden file tells of a block.
type shown struct {
	Kind     memory.BlockKind `json:"kind"`
	Lines    [2]int           `json:"lines"`
	Heading  []string         `json:"heading,omitempty"`
	Text     string           `json:"text"`
	Declared memory.Declared  `json:"declared"`
	ID       string           `json:"id,omitempty"`
	Links    []string         `json:"links,omitempty"`
	Triggers []string         `json:"triggers,omitempty"`
}

func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			body := 0
			if string(src[:3]) == "\uFEFF" {
				body = 3
			}
			var got []shown
			for _, b := range chunker.Blocks(src, body) {
				got = append(got, shown{b.Kind, [2]int{b.LineStart, b.LineEnd}, b.Heading, b.Text, b.Annotations, b.BlockID, b.Links, b.Triggers})
			}
			text, err := json.MarshalIndent(got, "", " ")
			if err != nil {
				t.Fatal(err)
			}
			golden := file[:len(file)-len(".md")] + ".json"
			if *update {
				if err := os.WriteFile(golden, append(text, '\n'), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if string(want) != string(text)+"\n" {
				t.Errorf("%s differs; run with -update and read the diff. got:\n%s", golden, text)
			}
		})
	}
}
