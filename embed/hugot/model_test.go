//go:build !nohugot && (amd64 || arm64)

package hugot_test

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
	"github.com/memory-tiered/memory/embed"
	"github.com/memory-tiered/memory/embed/embedtest"
	"github.com/memory-tiered/memory/embed/hugot"
	"github.com/memory-tiered/memory/internal/must"
)

// realModel opens the model that `make model-test` exports.
func realModel(t *testing.T) embed.Embedder {
	t.Helper()
	dir := os.Getenv("MEMORY_TEST_MODEL")
	if dir == "" {
		t.Skip("MEMORY_TEST_MODEL names no folder: make model-test exports the weights and says where")
	}
	e := must.Get(hugot.Open(hugot.Options{Dir: dir, Name: "all-MiniLM-L6-v2", Digest: "test"}))(t)
	return e
}

func TestConformance(t *testing.T) {
	e := realModel(t)
	embedtest.Run(t, func(*testing.T) embed.Embedder { return e })
}

// TestVectorsMatchReference compares with vectors of the same model that numpy
// computed (scripts/export-model.py --vectors).
func TestVectorsMatchReference(t *testing.T) {
	e := realModel(t)
	src := must.Get(os.ReadFile("testdata/vectors.json"))(t)
	var want []struct {
		Text   string
		Vector []float32
	}
	if err := json.Unmarshal(src, &want); err != nil || len(want) < 10 {
		t.Fatal(len(want), err)
	}
	for _, w := range want {
		if strings.TrimSpace(w.Text) == "" {
			continue // the model has a vector for a blank text; Embed returns the zero vector
		}
		got := must.Get(e.Embed(t.Context(), embed.Passage, []string{w.Text}))(t)
		for i, x := range w.Vector {
			if d := math.Abs(float64(got[0][i] - x)); d > 2e-5 { // float32 compared with float64, after six layers
				t.Errorf("%.40q: number %d is %f, not %f", w.Text, i, got[0][i], x)
				break
			}
		}
	}
}

func TestDamagedModelIsReported(t *testing.T) {
	for _, tt := range []struct{ name, config, onnx, want string }{
		{"no folder", "", "", "has no model.onnx"},
		{"no dimension", `{}`, "x", "no valid hidden_size"},
		{"a huge dimension", `{"hidden_size": 100000}`, "x", "no valid hidden_size"},
		{"not a model", `{"hidden_size": 384}`, "not a model at all", "load the embedding model"},
		{"an empty model", `{"hidden_size": 384}`, "", "load the embedding model"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if tt.config != "" {
				for name, text := range map[string]string{"model.onnx": tt.onnx, "tokenizer.json": "{}", "config.json": tt.config} {
					must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
				}
			}
			e, err := hugot.Open(hugot.Options{Dir: dir, Name: "x", Digest: "y"})
			if err == nil {
				_, err = e.Embed(t.Context(), embed.Passage, []string{"a text"})
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) || !errors.Is(err, memory.ErrUnavailable) {
				t.Errorf("%v; want %q", err, tt.want)
			}
		})
	}
}

// TestDamagedModelWorksAfterRepair replaces the damaged file while the embedder is
// open.
func TestDamagedModelWorksAfterRepair(t *testing.T) {
	real := os.Getenv("MEMORY_TEST_MODEL")
	if real == "" {
		t.Skip("MEMORY_TEST_MODEL names no folder: make model-test exports the weights and says where")
	}
	dir := t.TempDir()
	must.Do(t, os.CopyFS(dir, os.DirFS(real)))
	must.Do(t, os.Truncate(filepath.Join(dir, "model.onnx"), 1<<20))
	e := must.Get(hugot.Open(hugot.Options{Dir: dir, Name: "x", Digest: "y"}))(t)
	if _, err := e.Embed(t.Context(), embed.Query, []string{"a text"}); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("truncated file: %v", err)
	}
	src := must.Get(os.ReadFile(filepath.Join(real, "model.onnx")))(t)
	must.Do(t, os.WriteFile(filepath.Join(dir, "model.onnx"), src, 0o600))
	vectors, err := e.Embed(t.Context(), embed.Query, []string{"a text"})
	if err != nil || embed.Check(vectors, 1, 384) != nil {
		t.Errorf("repaired file: %v", err)
	}
}
