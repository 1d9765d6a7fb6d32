package chunker_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/internal/must"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// goldenBlock is a block in a golden file.
type goldenBlock struct {
	Kind     memory.BlockKind `json:"kind"`
	Lines    [2]int           `json:"lines"`
	Heading  []string         `json:"heading,omitempty"`
	Text     string           `json:"text"`
	Declared memory.Declared  `json:"declared"`
	ID       string           `json:"id,omitempty"`
	Links    []string         `json:"links,omitempty"`
	Triggers []string         `json:"triggers,omitempty"`
}

// layoutText formats a layout for a golden file: the blocks, then the kind and
// the first line of everything skipped.
func layoutText(t *testing.T, src []byte, l chunker.Layout) []byte {
	t.Helper()
	var got struct {
		Blocks  []goldenBlock `json:"blocks"`
		Skipped []string      `json:"skipped,omitempty"`
	}
	for _, b := range l.Blocks {
		got.Blocks = append(got.Blocks, goldenBlock{b.Kind, [2]int{b.LineStart, b.LineEnd}, b.Heading, b.Text, b.Annotations, b.BlockID, b.Links, b.Triggers})
	}
	for _, o := range l.Skipped {
		line, _, _ := bytes.Cut(src[o.Start:o.End], []byte("\n"))
		got.Skipped = append(got.Skipped, fmt.Sprintf("%s: %s", o.Kind, bytes.TrimSpace(line)))
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	must.Do(t, enc.Encode(got))
	return out.Bytes()
}

func TestGoldenFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			src := must.Get(os.ReadFile(file))(t)
			body := 0
			if string(src[:3]) == "\uFEFF" {
				body = 3
			}
			text := layoutText(t, src, chunker.Parse(src, body))
			golden := file[:len(file)-len(".md")] + ".json"
			if *update {
				must.Do(t, os.WriteFile(golden, text, 0o644))
			}
			want := must.Get(os.ReadFile(golden))(t)
			if !bytes.Equal(want, text) {
				t.Errorf("%s differs; run with -update and check the diff. got:\n%s", golden, text)
			}
		})
	}
}
