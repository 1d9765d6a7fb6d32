package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory/embed"
)

// write writes a file below dir.
func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A set has one query that the second memory answers, and one that nothing answers. The
// query of the foreign set counts as one without an answer.
func TestSetsAreMeasured(t *testing.T) {
	root := t.TempDir()
	own, other := filepath.Join(root, "own"), filepath.Join(root, "other")
	write(t, own, "MEMORY.md", "- The heron nests behind the mill pond\n- The staging database listens on port 5433\n")
	write(t, own, "golden.jsonl", `{"id":"a","query":"Which port does the staging database use?","category":"port","relevant":[{"path":"MEMORY.md","line":2}]}
{"id":"b","query":"Who won the Tour de France?","category":"none","relevant":[]}`)
	write(t, other, "golden.jsonl", `{"id":"c","query":"What is the capital of Mongolia?","relevant":[{"path":"MEMORY.md","line":1}]}`)
	sets, err := readSets([]string{own}, other)
	if err != nil {
		t.Fatal(err)
	}
	e, _, err := newEmbedder("table", "")
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	if _, err := sets[0].measure(t.Context(), e, func(r row) error { rows = append(rows, r); return nil }); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 3 || rows[2].Category != foreignCategory {
		t.Fatalf("rows: %+v", rows)
	}
	a := rows[0]
	if a.Ranks[0][0] != 1 || a.Within1000 != 1 || a.Found != 1 || a.Right != 1 || len(a.Hits) == 0 || !a.Hits[0].InBlock || len(a.Hits[0].Values) != len(a.Signals) {
		t.Errorf("the query with an answer: %+v", a)
	}
	if rows[1].Injected != 0 || rows[2].Injected != 0 {
		t.Errorf("blocks without an answer: %+v", rows[1:])
	}
	var out bytes.Buffer
	printRows(&out, "own", rows)
	if lines := strings.Split(out.String(), "\n"); len(lines) != 5 || !strings.Contains(lines[0], " 100.0") || !strings.HasPrefix(lines[1], "  foreign") {
		t.Errorf("table:\n%s", out.String())
	}
}

// counted is an embedder that counts the texts it gets.
type counted struct {
	embed.Embedder
	texts int
}

func (c *counted) Dim() int { return 2 }

func (c *counted) Embed(_ context.Context, _ embed.Kind, texts []string) (vectors [][]float32, err error) {
	c.texts += len(texts)
	for _, text := range texts {
		vectors = append(vectors, []float32{float32(len(text)), 1})
	}
	return vectors, nil
}

func TestVectorsAreKeptInAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "vectors")
	for _, want := range []struct {
		cut   int64 // bytes cut off before
		texts int   // embedded anew
	}{{0, 2}, {0, 0}, {1, 1}, {0, 0}} {
		if info, err := os.Stat(path); err == nil {
			if err := os.Truncate(path, info.Size()-want.cut); err != nil {
				t.Fatal(err)
			}
		}
		e := &counted{}
		c, err := openCache(e, path)
		if err != nil {
			t.Fatal(err)
		}
		vectors, err := c.Embed(t.Context(), embed.Query, []string{"one", "three", "one"})
		if err != nil || len(vectors) != 3 || vectors[0][0] != 3 || vectors[1][0] != 5 || vectors[2][0] != 3 {
			t.Errorf("vectors %v, %v", vectors, err)
		}
		if e.texts != want.texts {
			t.Errorf("%d texts embedded, want %d", e.texts, want.texts)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
