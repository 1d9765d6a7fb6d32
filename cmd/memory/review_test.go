package main

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memory-tiered/memory"
)

const reviewedNote = "- The vault is on floor 4\n- Peter plays chess on Thursdays <!-- trust: untrusted -->\n"

func TestReviewTakesDecisions(t *testing.T) {
	const file = "- The vault is on floor 3\n" + reviewedNote
	for _, tt := range []struct {
		name, do string // A and B are the ids of the contradiction, U is that of the untrusted memory
		shows    string
		declares string
		left     string
	}{
		{"keep one", "keep U", "keep MEMORY.md:3", "", "1"},
		{"keep both", "keep B A", "keep MEMORY.md", "", "1"},
		{"of one kind", "keep --kind contradiction A B", "keep MEMORY.md", "", "1"},
		{"the second of a pair is missing", "keep --kind contradiction A", "the second memory is missing", "", "2"},
		{"one memory of a pair alone", "keep A", "keep MEMORY.md", "", "2"},
		{"merge", "merge A B", "merge MEMORY.md", "superseded_by", "1"},
		{"merge of one", "merge A", "the second memory is missing", "", "2"},
		{"trust", "trust U", "trust MEMORY.md", "trust", "1"},
		{"forget", "forget U", "forget MEMORY.md", "forgotten", "1"},
		{"no id", "keep", "the id is missing", "", "2"},
		{"no such action", "praise U", "unknown action", "", "2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, state := t.TempDir(), filepath.Join(t.TempDir(), "state")
			writeFile(t, filepath.Join(dir, "MEMORY.md"), file)
			runProgram(t, dir, state, "index")
			var points memory.ReviewAnswer
			if out := runProgram(t, dir, state, "review", "--json"); json.Unmarshal([]byte(out), &points) != nil || len(points.Items) != 2 {
				t.Fatalf("the points are %s", out)
			}
			pair, other := points.Items[0], points.Items[1]
			ids := map[string]string{"A": string(pair.Memory.ID), "B": string(pair.Other.ID), "U": string(other.Memory.ID)}
			args := []string{"review"}
			for word := range strings.FieldsSeq(tt.do) {
				args = append(args, cmp.Or(ids[word], word))
			}
			if out := runProgram(t, dir, state, args...); !strings.Contains(out, tt.shows) {
				t.Errorf("%v shows no %q: %s", args, tt.shows, out)
			}
			src, err := os.ReadFile(filepath.Join(dir, "MEMORY.md"))
			if err != nil || !strings.HasSuffix(string(src), file) || !strings.Contains(strings.TrimSuffix(string(src), file), tt.declares) {
				t.Errorf("the file is\n%s (%v)", src, err)
			}
			if left := strings.TrimSpace(runProgram(t, dir, state, "review", "--count")); left != tt.left {
				t.Errorf("%s points are left, want %s", left, tt.left)
			}
			if tt.left == "1" {
				runProgram(t, dir, state, "undo")
				if left := strings.TrimSpace(runProgram(t, dir, state, "review", "--count")); left != "2" {
					t.Errorf("%s points are left after undo", left)
				}
			}
		})
	}
}

func TestReviewLists(t *testing.T) {
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
