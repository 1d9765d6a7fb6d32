// Package examples_test checks the example workspace. Its front matter parses
// without faults. Its decisions are about its own memories, and every relevant line
// of a golden query is in a memory.
package examples_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/chunker"
	"github.com/memory-tiered/memory/frontmatter"
	"github.com/memory-tiered/memory/internal/must"
)

type golden struct {
	ID       string
	Query    string
	Category string
	AsOf     string `json:"as_of"`
	Relevant []struct {
		Path string
		Line int
	}
}

func TestEveryGoldenLineIsInAMemory(t *testing.T) {
	files := workspace(t)
	seen := map[string]bool{}
	byCategory := map[string]int{}
	for _, g := range goldens(t) {
		if g.ID == "" || seen[g.ID] || g.Query == "" || g.Category == "" || len(g.Relevant) == 0 {
			t.Errorf("golden %+v", g)
		}
		if _, err := time.Parse("2006-01-02T15:04:05", g.AsOf); err != nil {
			t.Errorf("%s: %v", g.ID, err)
		}
		seen[g.ID] = true
		byCategory[g.Category]++
		for _, r := range g.Relevant {
			if !covered(files[r.Path].blocks, r.Line) {
				t.Errorf("%s: no memory contains %s:%d", g.ID, r.Path, r.Line)
			}
		}
	}
	if len(seen) < 60 {
		t.Errorf("%d golden queries", len(seen))
	}
	for _, c := range []string{"single-hop", "multi-hop", "temporal", "procedural", "identifier", "preference", "update", "language"} {
		if byCategory[c] < 5 {
			t.Errorf("%d queries of category %s", byCategory[c], c)
		}
	}
}

func TestWorkspaceHasNoFaults(t *testing.T) {
	memories := 0
	for path, f := range workspace(t) {
		memories += len(f.blocks)
		for _, fault := range f.matter.Faults {
			t.Errorf("%s:%d: %s", path, fault.Line, fault.Message)
		}
		for _, e := range f.matter.Entries {
			if !matchesBlock(e, f.blocks) {
				t.Errorf("%s:%d: the decision about %q matches no memory of the file", path, e.Line, e.Quote)
			}
		}
	}
	if memories < 200 {
		t.Errorf("%d memories", memories)
	}
}

// matchesBlock reports whether a decision is about one of the blocks, by id and quote.
func matchesBlock(e memory.Entry, blocks []memory.Block) bool {
	for _, b := range blocks {
		id := memory.NewID(b.Fingerprint, 0).InFile()
		if strings.HasPrefix(id, e.IDPrefix) && e.IDPrefix != "" && strings.HasPrefix(b.Text, e.Quote) {
			return true
		}
	}
	return false
}

// covered reports whether a block contains a line.
func covered(blocks []memory.Block, line int) bool {
	for _, b := range blocks {
		if b.LineStart <= line && line <= b.LineEnd {
			return true
		}
	}
	return false
}

type file struct {
	matter frontmatter.Parsed
	blocks []memory.Block
}

func workspace(t *testing.T) map[string]file {
	t.Helper()
	files := map[string]file{}
	must.Do(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".md") || path == "README.md" {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		m := frontmatter.Parse(src, time.UTC)
		files[filepath.ToSlash(path)] = file{m, chunker.Blocks(src, m.BodyStart)}
		return nil
	}))
	return files
}

func goldens(t *testing.T) (all []golden) {
	t.Helper()
	src := must.Get(os.ReadFile("golden.jsonl"))(t)
	lines := bufio.NewScanner(bytes.NewReader(src))
	for lines.Scan() {
		var g golden
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.DisallowUnknownFields()
		if err := d.Decode(&g); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		all = append(all, g)
	}
	return all
}
