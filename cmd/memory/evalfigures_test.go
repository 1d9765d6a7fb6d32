package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/memory-tiered/memory/eval"
	"github.com/memory-tiered/memory/internal/must"
)

// TestFreshCloneGivesTheCommittedFigures measures new files, as a clone has them.
// Their dates must come from the texts, so that as_of leaves out none that answers.
func TestFreshCloneGivesTheCommittedFigures(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine: useless for the race detector")
	}
	const tolerance = 0.01 // another processor may round another way
	for name, from := range map[string]string{"examples": "../../examples-workspace", "workshop": "../../eval/workspaces/workshop"} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), name)
			must.Do(t, os.CopyFS(dir, os.DirFS(from)))
			committed := must.Get(os.ReadFile(filepath.Join("../../eval", name+".json")))(t)
			t.Setenv("TZ", "UTC")
			var printed bytes.Buffer
			a := newApp(t, dir, t.TempDir())
			a.out = &printed
			a.run(t.Context(), []string{"eval", filepath.Join(dir, "golden.jsonl"), "--no-latency", "--json"})
			var got, want eval.Report
			if err := json.Unmarshal(printed.Bytes(), &got); err != nil {
				t.Fatalf("%v: %s", err, printed.String())
			}
			must.Do(t, json.Unmarshal(committed, &want))
			if a, b := got.Metrics.Recall10, want.Metrics.Recall10; math.Abs(a-b) > tolerance {
				t.Errorf("recall@10 is %.3f, committed %.3f", a, b)
			}
		})
	}
}
